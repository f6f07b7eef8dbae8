// Many changes of watched files at once.
const fs = require('fs');

// Thousands of changes of a file, and nobody who has stopped hears of them.
const watching = async () => {
  const directory = fs.mkdtempSync(`${require('os').tmpdir()}/findings-`);
  for (const recursive of [false, true]) {
    let count = 0;
    const watcher = fs.watch(directory, { recursive }, () => { count += 1; });
    for (let n = 0; n < 3000; n++) fs.writeFileSync(`${directory}/a`, `${n}`);
    await new Promise((resolve) => { watcher.once('change', () => setImmediate(resolve)); });
    watcher.close();
    await new Promise((resolve) => { setTimeout(resolve, 20); });
    console.log(recursive, count > 0);
  }
  fs.rmSync(directory, { recursive: true });
};

watching();
