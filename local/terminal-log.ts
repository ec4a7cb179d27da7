import { allRoutes } from '../shared/app/all-routes.ts';

type Entry = Record<string, unknown> & { timestamp?: string; level?: string; message?: string };

const called = new Map(allRoutes.map(({ id, method, path }) => [id, `${method.padEnd(4)} ${path}`]));
const usualColumns = 80;

const cut = (line: string, columns: number) =>
  line.length <= columns ? line : `${line.slice(0, columns - 1)}…`;
const timeOf = ({ timestamp }: Entry) => (timestamp ?? '').slice(11, 19);

const requestLine = ({ route, status, milliseconds, ...entry }: Entry) =>
  `${timeOf(entry)}  ${status ?? '???'}  ${called.get(String(route)) ?? route}  ${milliseconds} ms`;

const eventLine = (entry: Entry) =>
  `${timeOf(entry)}  event: ${entry['detail-type']} ${JSON.stringify(entry.detail)}`;

/** An error is shown in full. */
const otherLine = ({ level, message, error, ...entry }: Entry) => {
  const { stack, message: reason } = (error ?? {}) as { stack?: string; message?: string };
  const why = stack ?? reason;
  return `${timeOf(entry)}  ${level}  ${message}${why === undefined ? '' : `: ${why}`}`;
};

/** A log line for people, no wider than the terminal unless it is an error. */
export const readableLine = (entry: Entry, columns = usualColumns): string => {
  if (entry.message === 'request' && entry.route !== undefined) return cut(requestLine(entry), columns);
  if (entry.message === 'event') return cut(eventLine(entry), columns);
  return otherLine(entry);
};

type Terminal = { columns?: number; write: (text: string) => unknown };

/** The console of the logger, which writes each entry as JSON. */
export const readableConsole = (terminal: Terminal) => {
  const print = (text: string) => {
    terminal.write(`${readableLine(JSON.parse(text) as Entry, terminal.columns)}\n`);
  };
  return { debug: print, info: print, warn: print, error: print, trace: print, log: print };
};
