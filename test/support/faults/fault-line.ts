/**
 * What may become of one call to AWS, beneath the SDK: its own retries are made and are told apart.
 * Those that last meet every try of the call, the others its first one only.
 */
export const faults = [
  'throttled',
  'failed before',
  'failed after',
  'answer lost',
  'timed out',
  'reset',
  'conflict',
  'ended before',
  'ended after',
] as const;
export type Fault = (typeof faults)[number];
/**
 * Which call of the process, from 1, and what becomes of it: a fault, or another process comes
 * first.
 */
export type Plan = { call: number; fault: Fault | 'overtaken' };

type Request = { headers: Record<string, string> };
type Response = { statusCode: number; headers: Record<string, string>; body: Buffer };
type Handled = { response: unknown };
export type Handler = { handle: (request: never, options?: never) => Promise<Handled> };

/** How one service names its calls and words its refusals. */
export type Dialect = {
  nameOf: (request: never) => string;
  throttled: Response;
  failed: Response;
  /** Its calls go past the SDK, except the call that is to fail. */
  isPassingSdk?: true;
  /** `undefined`: the call cannot meet a conflict. */
  conflict: (request: never) => Response | undefined;
};

const lasting: ReadonlySet<Plan['fault']> = new Set([
  'throttled',
  'failed before',
  'failed after',
  'timed out',
]);

const thrown = (name: string, code?: string) => Object.assign(new Error(name), { name, code });
/** Nobody reads the answer: a file that it is read from is closed. */
const forget = ({ response }: Handled) => (response as { body?: { destroy?: () => void } }).body?.destroy?.();
const never = () => new Promise<never>(() => {});

/**
 * The lines of one process to AWS: counts its calls, and lets one of them go wrong. After a fault
 * that ends the process no call of it is ever answered again.
 */
export class FaultLine {
  /** The calls in their order, tries of the SDK not counted apart. */
  readonly calls: string[] = [];
  #plan: Plan | undefined;
  #meanwhile: () => Promise<unknown> = async () => {};
  #hit: string | undefined;
  /** Index in `calls` of the one whose first try is still to come. */
  #held: number | undefined;
  #isOver = false;
  #end: () => void = () => {};
  /** Resolved when the process has ended. */
  readonly ended: Promise<void>;
  /** Whether the planned fault has come about, and could. */
  outcome: 'not met' | 'met' | 'does not apply' = 'not met';

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  /** Counts from here on. `meanwhile`: what the other process does. */
  begin(plan?: Plan, meanwhile: () => Promise<unknown> = async () => undefined): void {
    this.calls.length = 0;
    this.#plan = plan;
    this.#meanwhile = meanwhile;
    this.#hit = undefined;
    this.#held = undefined;
    this.outcome = 'not met';
  }

  get isNextToFail(): boolean {
    return this.#plan !== undefined && this.calls.length + 1 === this.#plan.call;
  }

  /** The next call is under way through the SDK: whichever comes meanwhile comes after it. */
  holdNumber(): void {
    this.#held = this.calls.push('') - 1;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  wrap<H extends Handler>(handler: H, dialect: Dialect): H {
    const handle = async (request: Request, options: unknown) => {
      const perform = () => handler.handle(request as never, options as never);
      if (this.#isOver) return never();
      const fault = this.#faultOf(request, dialect);
      return fault === undefined ? perform() : this.#commit(fault, dialect, request, perform);
    };
    return Object.assign(Object.create(handler), { handle }) as H;
  }

  /** Counts the first try of a call; its number, from 1. */
  #numberOf(request: Request, dialect: Dialect, isHeld: boolean): number {
    const condition = isHeld ? (this.#held as number) : this.calls.length;
    this.calls[condition] = dialect.nameOf(request as never);
    if (isHeld) this.#held = undefined;
    return condition + 1;
  }

  #faultOf(request: Request, dialect: Dialect): Plan['fault'] | undefined {
    const invocation = request.headers['amz-sdk-invocation-id'] ?? '';
    const [, attempt = '1'] = /attempt=(\d+)/.exec(request.headers['amz-sdk-request'] ?? '') ?? [];
    const isHeld = dialect.isPassingSdk === true && invocation !== '' && this.#held !== undefined;
    const number = attempt === '1' ? this.#numberOf(request, dialect, isHeld) : undefined;
    if (this.#plan === undefined) return undefined;
    const { call, fault } = this.#plan;
    if (number === call) {
      this.#hit = invocation;
      const applies = fault !== 'conflict' || dialect.conflict(request as never) !== undefined;
      this.outcome = applies ? 'met' : 'does not apply';
      return applies ? fault : undefined;
    }
    const lasts = lasting.has(fault) && this.outcome === 'met';
    return lasts && invocation === this.#hit ? fault : undefined;
  }

  async #commit(
    fault: Plan['fault'],
    dialect: Dialect,
    request: Request,
    perform: () => Promise<Handled>,
  ): Promise<unknown> {
    switch (fault) {
      case 'overtaken':
        await this.#meanwhile();
        return perform();
      case 'throttled':
        return { response: dialect.throttled };
      case 'failed before':
        return { response: dialect.failed };
      case 'failed after':
      case 'answer lost':
        forget(await perform());
        return { response: dialect.failed };
      case 'timed out':
        forget(await perform());
        throw thrown('TimeoutError');
      case 'reset':
        throw thrown('Error', 'ECONNRESET');
      case 'conflict':
        return { response: dialect.conflict(request as never)! };
      case 'ended before':
      case 'ended after':
        if (fault === 'ended after') forget(await perform());
        this.#isOver = true;
        this.#end();
        return never();
    }
  }
}
