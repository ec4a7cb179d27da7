import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import readline from 'node:readline';

export type LambdaAnswer = {
  statusCode: number;
  headers: Record<string, string>;
  body: string;
};

/**
 * What Lambda's runtime does around a bundle: import it, call its handler, and for streamed answers
 * split the prelude from the body. It runs in a bare process with nothing but the deployed files.
 */
const runtime = `
import { PassThrough } from 'node:stream';
import { createInterface } from 'node:readline';
const separator = Buffer.alloc(8);
const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
globalThis.awslambda = {
  streamifyResponse: (handler) => Object.assign(handler, { [streaming]: 'response' }),
  HttpResponseStream: {
    from(stream, prelude) {
      stream.write(JSON.stringify(prelude));
      stream.write(separator);
      return stream;
    },
  },
};
const { handler } = await import(process.env.LAMBDA_BUNDLE);
const streamed = async (event, context) => {
  const stream = new PassThrough();
  const chunks = [];
  stream.on('data', (chunk) => chunks.push(chunk));
  const ended = new Promise((resolve, reject) => stream.on('end', resolve).on('error', reject));
  await handler(event, stream, context);
  await ended;
  const bytes = Buffer.concat(chunks);
  const end = bytes.indexOf(separator);
  return { ...JSON.parse(bytes.subarray(0, end)), body: bytes.subarray(end + separator.length).toString('latin1') };
};
for await (const line of createInterface({ input: process.stdin })) {
  const { event, context: sent } = JSON.parse(line);
  const context = { ...sent, getRemainingTimeInMillis: () => 15_000 };
  let outcome;
  try {
    outcome = { answer: await (handler[streaming] ? streamed : handler)(event, context) };
  } catch (error) {
    outcome = { error: String(error?.message ?? error) };
  }
  process.stdout.write('\\u0000' + JSON.stringify(outcome) + '\\n');
}
`;

type Outcome = { answer?: LambdaAnswer; error?: string };

/** One deployed function, kept warm until closed. */
export class BareLambda {
  readonly #process: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly log: string[] = [];

  constructor(folder: string, environment: Record<string, string>) {
    this.#process = spawn(process.execPath, ['--input-type=module', '--eval', runtime], {
      cwd: folder,
      // Nothing of this process's environment: neither NODE_PATH nor anyone's AWS credentials.
      env: { PATH: process.env.PATH ?? '', LAMBDA_BUNDLE: `${folder}/index.mjs`, ...environment },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    this.#process.stderr?.on('data', (chunk) => this.log.push(String(chunk)));
    this.#lines = readline.createInterface({ input: this.#process.stdout! })[Symbol.asyncIterator]();
  }

  /** @throws Error with the function's message and what it wrote to its log */
  async invoke(event: unknown, context: unknown = { awsRequestId: 'request-1' }): Promise<LambdaAnswer> {
    this.#process.stdin?.write(`${JSON.stringify({ event, context })}\n`);
    while (true) {
      const { value, done } = await this.#lines.next();
      if (done) throw new Error(`the function ended: ${this.log.join('')}`);
      if (!value.startsWith('\0')) {
        this.log.push(`${value}\n`);
        continue;
      }
      const { answer, error } = JSON.parse(value.slice(1)) as Outcome;
      if (error !== undefined) throw new Error(error);
      return answer as LambdaAnswer;
    }
  }

  async close(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#process.stdin?.end();
    await closed;
  }
}
