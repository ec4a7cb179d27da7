import type { Table } from '../table.ts';

const million = 1_000_000;
const contacts = 10 * million;
const callsPerDay = 10 * million;
/** The peak hour of a day of twelve hours has about 1.7 times its average. */
const peakCalls = 400;

/** Units a call: a tenth of a lease of ten, and a result with its record. The tables above count them. */
const units = { wcu: 11, rcu: 7 };
/** Dollars a million on demand in us-east-1: write units, read units, requests to a REST API, invocations. */
const price = { wcu: 0.625, rcu: 0.125, request: 3.5, invocation: 0.2 };
/** Leases of ten, and each result alone. */
const requestsPerCall = 1.1;
/** Dollars for an invocation of 50 ms with 512 MB on arm64. */
const runningCost = 0.05 * 0.5 * 0.0000133334;

const dollars = (value: number) => `${Math.round(value)} $ a day`;
const callsInMillions = callsPerDay / million;
const table = callsInMillions * (units.wcu * price.wcu + units.rcu * price.rcu);
const requests = callsInMillions * requestsPerCall * price.request;
const functions = callsPerDay * requestsPerCall * (runningCost + price.invocation / million);

/** What a user of that size pays, which quotas to raise, and what breaks first. Reckoned, not measured. */
export const largeUserTable = (): Table => ({
  title: 'On paper: 10,000,000 contacts, 10,000,000 calls a day, 1,000 dialers',
  note: 'Reckoned from the figures of this page and public prices of us-east-1, without a free tier. Results sent 100 at a time (`POST /api/dialer/results`) make the requests a tenth.',
  columns: ['what', 'figure', 'what to do'],
  rows: [
    ['table: units of all calls', dollars(table), `${units.wcu} WCU and ${units.rcu} RCU a call`],
    ['API Gateway: a lease of ten, each result alone', dollars(requests), 'send results together'],
    ['functions', dollars(functions), ''],
    [
      'import of all contacts',
      `${Math.round((contacts * 2 * price.wcu) / million)} $ once`,
      `ten imports of a million rows (\`IMPORT_MAX_ROWS\`); at ${(40_000).toLocaleString('en')} WCU a second 9 minutes at least`,
    ],
    ['records of calls', '5 GB a day, 1.25 $ a month for each', '`KEEP_CALLS_DAYS`'],
    [
      'quota: table, write units a second',
      `${(peakCalls * units.wcu).toLocaleString('en')} at ${peakCalls} calls a second`,
      `the default is 40,000: enough for ${Math.floor(40_000 / units.wcu).toLocaleString('en')} calls a second`,
    ],
    [
      'quota: functions at once',
      `about ${Math.ceil(peakCalls * requestsPerCall * 0.06)}`,
      'the default of an account is 1,000, of a new account 10: raise it',
    ],
    [
      'quota: API Gateway, requests a second',
      `${Math.ceil(peakCalls * requestsPerCall)}`,
      'the default is 10,000; the stage has limits of its own for each class of routes',
    ],
    [
      'breaks first: one task',
      '950 calls a second',
      'the chunk of contacts that is being leased: 1,024 contacts under one key. Use several tasks, each with its own list',
    ],
    ['breaks first: pre-flight', '4 to 5 million contacts in 29 seconds', 'split the list'],
    [
      'breaks first: export of contacts',
      '1.3 million rows in 200 MB',
      'split the list, or read it page by page',
    ],
    [
      'breaks first: export of calls',
      '600,000 rows in 200 MB',
      'Excel: 1.6 million. Export a shorter time, with `from` and `to`',
    ],
  ],
});
