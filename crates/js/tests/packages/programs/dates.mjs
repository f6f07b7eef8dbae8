// packages: date-fns@4.4.0 dayjs@1.11.23 luxon@3.7.2 moment@2.31.0 ms@2.1.3 cron-parser@5.10.4 croner@11.0.0
process.env.TZ = 'Europe/Berlin';
import { format, addMonths, differenceInCalendarDays, parseISO, formatDistance, startOfWeek, intervalToDuration, formatRelative, parse } from 'date-fns';
import { de } from 'date-fns/locale';
import dayjs from 'dayjs';
import utc from 'dayjs/plugin/utc.js';
import timezone from 'dayjs/plugin/timezone.js';
import relativeTime from 'dayjs/plugin/relativeTime.js';
import { DateTime, Duration, Interval, Settings } from 'luxon';
import moment from 'moment';
import ms from 'ms';
import { CronExpressionParser } from 'cron-parser';
import { Cron } from 'croner';

const at = new Date('2024-03-31T00:30:00Z');
console.log(format(at, "yyyy-MM-dd'T'HH:mm:ssXXX EEEE do QQQ"), format(at, 'PPPPpppp'), format(at, 'PPPP', { locale: de }));
console.log(addMonths(at, 1).toISOString(), differenceInCalendarDays(at, parseISO('2024-01-01')), formatDistance(at, parseISO('2024-03-01')));
console.log(startOfWeek(at, { weekStartsOn: 1 }).toISOString(), intervalToDuration({ start: parseISO('2023-01-15'), end: at }), formatRelative(at, parseISO('2024-04-02')));
console.log(parse('02/11/2014', 'MM/dd/yyyy', new Date(0)).toISOString());

dayjs.extend(utc); dayjs.extend(timezone); dayjs.extend(relativeTime);
const d = dayjs(at);
console.log(d.format('YYYY-MM-DD HH:mm:ss Z ddd'), d.add(1, 'month').toISOString(), d.tz('America/New_York').format(), d.utc().format(), d.from(dayjs('2024-03-01')));
console.log(dayjs.tz('2024-03-10 02:30', 'America/New_York').toISOString(), d.startOf('day').toISOString(), d.diff('2024-01-01', 'day'));

const l = DateTime.fromJSDate(at);
console.log(l.toISO(), l.zoneName, l.offset, l.plus({ hours: 1 }).toISO(), l.setZone('Asia/Tokyo').toISO(), l.toFormat('yyyy LLL dd HH:mm ZZZZ'), l.isInDST);
console.log(l.toLocaleString(DateTime.DATETIME_FULL), l.toLocaleString(DateTime.DATE_HUGE), l.toRFC2822(), l.toHTTP(), l.weekNumber, l.ordinal);
console.log(DateTime.fromISO('2024-02-30').invalidReason, DateTime.fromFormat('3 Mar 2024', 'd LLL yyyy').toISODate(), DateTime.local(2024, 3, 31, 2, 30).toISO());
console.log(Duration.fromObject({ hours: 25, minutes: 61 }).normalize().toHuman(), Duration.fromISO('P1Y2M3DT4H').toISO(), Interval.fromISO('2024-01-01/P1M').length('days'));
Settings.defaultZone = 'utc';
console.log(DateTime.fromMillis(0).toISO(), l.toRelative({ base: l.plus({ days: 3 }) }), l.toRelativeCalendar({ base: l.plus({ days: 1 }) }));

const m = moment(at);
console.log(m.format(), m.format('LLLL'), m.clone().add(1, 'day').format(), m.from(moment('2024-03-01')), m.isoWeek(), moment.duration(90, 'minutes').humanize(), moment.utc(at).format());
console.log(ms('2 days'), ms(60000), ms(2 * 60000, { long: true }), ms('-3 min'));

const cron = CronExpressionParser.parse('*/15 2 * * *', { currentDate: '2024-03-30T23:00:00Z', tz: 'Europe/Berlin' });
console.log(Array.from({ length: 5 }, () => cron.next().toISOString()));
console.log(new Cron('0 0 12 * * 1-5', { timezone: 'America/New_York', paused: true }).nextRuns(3, '2024-03-08T00:00:00Z').map((date) => date.toISOString()));
