import {
  busyMonth,
  type CostTable,
  campaign,
  dayOfLargeUser,
  idleDialerMonth,
  idleMonth,
  importOfLargeUser,
  webhookMonth,
} from './costs.ts';
import { delivery, largeDay, month, prices, stage, units } from './quantities.ts';

const money = (dollars: number): string => {
  if (dollars >= 10) return `$${dollars.toFixed(0)}`;
  return dollars >= 0.1 ? `$${dollars.toFixed(2)}` : `$${dollars.toPrecision(1)}`;
};
const perMillion = (price: number) => `$${Number((price * 1e6).toPrecision(4))} a million`;

const tableOf = (title: string, tables: Record<string, CostTable>, total: string): string => {
  const [first] = Object.values(tables);
  const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`;
  return [
    cells([title, ...Object.keys(tables)]),
    cells(['---', ...Object.keys(tables).map(() => '---')]),
    ...first!.lines.map(({ what }, at) =>
      cells([what, ...Object.values(tables).map(({ lines }) => money(lines[at]!.dollars))]),
    ),
    cells([`**${total}**`, ...Object.values(tables).map((each) => `**${money(each.total)}**`)]),
  ].join('\n');
};

/** docs/costs.md. */
export const costsPage = (): string => {
  const alone = dayOfLargeUser();
  const together = dayOfLargeUser(100);
  return `# Costs

\`npm run costs\` writes this page from [quantities.ts](../bench/costs/quantities.ts): the prices, and how much of everything is used. A
test compares the units of the table with those that the operations use, and the metrics with those of the stack. Change a quantity to
yours and run the command again.

Prices are list prices of us-east-1 without a free tier. Check them, because they change. DynamoDB on demand:
${perMillion(prices.write)} writes, ${perMillion(prices.read)} reads, $${prices.storedGb} a GB and month with recovery. API Gateway: ${perMillion(prices.request)}.
Lambda (arm64): $${prices.gbSecond} a GB-second and ${perMillion(prices.run)}. EventBridge: ${perMillion(prices.event)}. Logs: $${prices.logGb} a GB. Traces:
${perMillion(prices.trace)}.

## A campaign

The contacts are imported, each is called once (leases of ten, one result each), and each outcome is published. A row of the import uses
${units.import.writes} writes, a lease ${units.lease.writes} writes and ${units.lease.reads} reads, a result ${units.result.writes} and ${units.result.reads}.

${tableOf('', Object.fromEntries([1000, 100_000, 1_000_000].map((contacts) => [`${contacts.toLocaleString('en')} contacts`, campaign(contacts)])), 'A campaign')}

## A stage that no program uses

${tableOf('Fixed, a month', { '': idleMonth() }, 'An idle stage')}

Each further client of a program costs ${money(prices.client)} a month. Connect adds four metrics to the alarms. A dev stage lists no throttled keys.

## A busy month

${month.contacts.toLocaleString('en')} contacts and ${month.callsADay.toLocaleString('en')} calls a day. ${month.dialers} dialers call for ${month.hoursADay} hours a day and ask every ${month.idlePollSeconds} seconds in the other hours. A call takes
${month.requestsOfCall} requests, because a dialer asks as soon as one of its lines is free. One screen of the console is open for ten hours a day. The stream of the
table has ${month.shards} shards, and two functions follow each of them.

${tableOf('A month', { '': busyMonth() }, 'Together')}

A webhook that gets every event costs ${money(webhookMonth())} more: a run for each second with calls, of ${delivery.writes} writes, ${delivery.reads} reads and ${delivery.queueRequests} requests to SQS,
and a row for each attempt. A metric costs its price in the hours in which it is written, so ${stage.ownMetrics}
of our own are the most that a month can cost.

## An idle dialer

A dialer that finds nothing to call for a whole month, and asks every second, or every 15 seconds as it is told.

${tableOf('A month', { 'every second': idleDialerMonth(1), 'every 15 seconds': idleDialerMonth(15) }, 'Together')}

## Tokens

Cognito charges $${prices.token} for each token that a program gets. 1,000 dialers that each renew a token every hour cost
${money(1000 * 24 * 30 * prices.token)} a month, with \`dialerTokenHours\` of 12 (the default) ${money(1000 * 2 * 30 * prices.token)}. Dialers on one machine can share a token. A token cannot
be taken back before it expires, except by [cutting its client off](operations.md#cutting-a-client-off).

## A very large user

${largeDay.calls.toLocaleString('en')} calls a day in leases of ten, each result alone or 100 together (\`POST /api/dialer/results\`), over ${largeDay.hours} hours. [Deployment](deployment.md#a-very-large-user-on-paper) has
the limits of such a stage.

${tableOf('A day', { 'each result alone': alone, '100 results together': together }, 'A day')}

The import of ${largeDay.contacts.toLocaleString('en')} contacts costs ${money(importOfLargeUser())} once.
`;
};
