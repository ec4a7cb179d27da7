import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** Where Debian's package `postgresql-15` keeps its programs. */
const programs = '/usr/lib/postgresql/15/bin';
const program = (name: string) => path.join(programs, name);

export type Explained = { buffers: number; ms: number };

/** The server refuses to run as root. Then it runs as the user that its package has made. */
const serverUser = async (): Promise<{ uid: number; gid: number } | undefined> => {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = async (kind: '-u' | '-g') => Number((await run('id', [kind, 'postgres'])).stdout);
  return { uid: await idOf('-u'), gid: await idOf('-g') };
};

type Plan = { 'Execution Time': number; Plan: Record<string, number> };

/** Our own database server, on a Unix socket in a temporary folder. */
export class Postgres {
  readonly #folder: string;
  readonly #user: { uid: number; gid: number } | undefined;

  private constructor(folder: string, user: { uid: number; gid: number } | undefined) {
    this.#folder = folder;
    this.#user = user;
  }

  static isInstalled = () => existsSync(program('initdb'));

  static async start(): Promise<Postgres> {
    const user = await serverUser();
    const folder = await mkdtemp(path.join(tmpdir(), 'bench-pg-'));
    if (user) await chown(folder, user.uid, user.gid);
    const server = new Postgres(folder, user);
    await server.#program('initdb', ['-D', server.#data, '-A', 'trust', '-U', 'bench', '--no-sync']);
    const options = `-c listen_addresses= -c unix_socket_directories=${folder} -c shared_buffers=512MB -c fsync=off -c max_parallel_workers_per_gather=0`;
    const log = path.join(folder, 'log');
    await server.#program('pg_ctl', ['-D', server.#data, '-w', '-l', log, '-o', options, 'start']);
    return server;
  }

  async stop(): Promise<void> {
    await this.#program('pg_ctl', ['-D', this.#data, '-w', '-m', 'immediate', 'stop']);
    await rm(this.#folder, { recursive: true });
  }

  async execute(sql: string): Promise<string> {
    const { stdout } = await run(program('psql'), [...this.#session, '-c', sql], { maxBuffer: 1 << 26 });
    return stdout;
  }

  /** Loads tab-separated rows into a table. */
  async copy(table: string, rows: Iterable<string>): Promise<void> {
    const psql = spawn(program('psql'), [...this.#session, '-c', `COPY ${table} FROM STDIN`], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    const ended = new Promise<void>((resolve, reject) => {
      psql.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`COPY ended with ${code}`))));
    });
    await pipeline(Readable.from(inBatches(rows)), psql.stdin);
    await ended;
  }

  /** Pages of 8 KB touched and time of the statements, which are then rolled back. */
  async explain(statements: readonly string[]): Promise<Explained> {
    const explained = statements.map((sql) => `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql};`).join('\n');
    const answer = await this.execute(`BEGIN; ${explained} ROLLBACK;`);
    const plans = answer
      .split(/^(?=\[)/m)
      .filter((text) => text.startsWith('['))
      .map((text) => (JSON.parse(text) as Plan[])[0]!);
    return {
      buffers: sum(
        plans.map(({ Plan }) => (Plan['Shared Hit Blocks'] ?? 0) + (Plan['Shared Read Blocks'] ?? 0)),
      ),
      ms: sum(plans.map((plan) => plan['Execution Time'])),
    };
  }

  get #data() {
    return path.join(this.#folder, 'data');
  }

  get #session() {
    return ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', this.#folder, '-U', 'bench', 'postgres'];
  }

  async #program(name: string, args: string[]): Promise<void> {
    // pg_ctl passes its output to the server, which keeps running: a pipe would never end.
    const child = spawn(program(name), args, { ...this.#user, cwd: this.#folder, stdio: 'ignore' });
    const code = await new Promise((resolve) => child.once('exit', resolve));
    if (code !== 0) throw new Error(`${name} ended with ${code}`);
  }
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function* inBatches(rows: Iterable<string>): Generator<string> {
  let text = '';
  for (const row of rows) {
    text += `${row}\n`;
    if (text.length < 1 << 16) continue;
    yield text;
    text = '';
  }
  yield text;
}
