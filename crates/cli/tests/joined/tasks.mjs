// Runs a task every minute, also after a crash.
import { initialize } from 'hemiola:scheduler';

await initialize([['tick', '* * * * *', () => obs('tick')]], { store: 'tasks.db', log: false });
