import { expect, it } from 'vitest';
import { readableConsole, readableLine } from '../../local/terminal-log.ts';

const timestamp = '2026-05-04T10:20:30.123Z';

it('shows a request in one short line: when, how it ended, what, how long', () => {
  const entry = {
    timestamp,
    level: 'INFO',
    message: 'request',
    requestId: 'r',
    status: 409,
    milliseconds: 12,
  };
  const line = '10:20:30  409  POST /api/dataSource/{id}/contact/add  12 ms';
  const widths = [80, line.length, line.length - 1];
  const lines = widths.map((columns) => readableLine({ ...entry, route: 'addContact' }, columns));
  expect(lines).toEqual([line, line, `${line.slice(0, -2)}…`]);
  expect(readableLine({ ...entry, route: 'importStatus', milliseconds: 12_345 }).length).toBeLessThanOrEqual(
    80,
  );
});

it('cuts an event to the width of the terminal and shows an error whole', () => {
  const written: string[] = [];
  const terminal = { columns: 60, write: (text: string) => written.push(text) };
  const event = {
    timestamp,
    message: 'event',
    'detail-type': 'Task State Changed',
    detail: { id: 'x'.repeat(80) },
  };
  readableConsole(terminal).info(JSON.stringify(event));
  const error = {
    name: 'Error',
    message: 'no table',
    stack: `Error: no table\n${'    at somewhere\n'.repeat(5)}`,
  };
  readableConsole(terminal).error(
    JSON.stringify({ timestamp, level: 'ERROR', message: 'sweep failed', error }),
  );
  expect(written[0]).toMatch(/^10:20:30 {2}event: Task State Changed .*…\n$/);
  expect(written[0]).toHaveLength(61);
  expect(written[1]).toContain(`10:20:30  ERROR  sweep failed: ${error.stack}`);
});
