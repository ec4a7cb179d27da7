import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

type Handler = DynamoDBDocumentClient['config']['requestHandler'];
type Answer = Awaited<ReturnType<Handler['handle']>>;
type Recorded = { statusCode: number; headers: Record<string, string>; body: Uint8Array };

const warmUps = 3;
const leastMs = 200;
const mostRuns = 50;

const bytesOf = (body: unknown) => {
  const bytes = body as Uint8Array;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
};

/** Recorded answers of an engine. The same requests get them again at no cost. */
class Tape {
  readonly #byRequest = new Map<string, Recorded[]>();
  readonly #byTarget = new Map<string, Recorded[]>();
  #given = new Map<string, number>();

  record(target: string, body: string, answer: Recorded): void {
    for (const [tape, key] of [
      [this.#byRequest, target + body],
      [this.#byTarget, target],
    ] as const) {
      const answers = tape.get(key) ?? [];
      answers.push(answer);
      tape.set(key, answers);
    }
  }

  rewind(): void {
    this.#given = new Map();
  }

  /** The answer is found by the request's text. A request with a random part gets the next answer of its kind. */
  play(target: string, body: string): Recorded {
    const key = this.#byRequest.has(target + body) ? target + body : target;
    const answers = this.#byRequest.get(key) ?? this.#byTarget.get(key) ?? [];
    const turn = this.#given.get(key) ?? 0;
    this.#given.set(key, turn + 1);
    const answer = answers[turn % answers.length];
    if (answer === undefined) throw new Error(`nothing recorded for ${target}`);
    return answer;
  }
}

/**
 * The CPU time of a job without the engine, in milliseconds: the stores, the SDK and JSON. The job is recorded
 * once on the engine, then repeated on the recorded answers.
 */
export const cpuOf = async (client: DynamoDBDocumentClient, job: () => Promise<unknown>): Promise<number> => {
  const { requestHandler } = client.config;
  const handle = requestHandler.handle;
  const tape = new Tape();
  const textOf = (body: unknown) => (typeof body === 'string' ? body : bytesOf(body).toString());
  const targetOf = (request: { headers: Record<string, string> }) => request.headers['x-amz-target'] ?? '';
  requestHandler.handle = async (request, options) => {
    const answer = await handle.call(requestHandler, request, options);
    const { statusCode, headers, body } = answer.response;
    tape.record(targetOf(request), textOf(request.body), { statusCode, headers, body: bytesOf(body) });
    return answer;
  };
  try {
    await job();
    requestHandler.handle = async (request) => {
      const { statusCode, headers, body } = tape.play(targetOf(request), textOf(request.body));
      return { response: { statusCode, headers: { ...headers }, body: Buffer.from(body) } } as Answer;
    };
    return await meanCpu(async () => {
      tape.rewind();
      await job();
    });
  } finally {
    requestHandler.handle = handle;
  }
};

const meanCpu = async (job: () => Promise<void>): Promise<number> => {
  const spent = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1000;
  };
  const first = spent();
  await job();
  // A long job needs no warm-up: its own first part is one.
  if (spent() - first < leastMs) for (let i = 1; i < warmUps; i++) await job();
  const start = process.cpuUsage();
  let runs = 0;
  while (runs < mostRuns && (runs === 0 || spent(start) < leastMs)) {
    await job();
    runs++;
  }
  return spent(start) / runs;
};
