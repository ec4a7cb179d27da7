import type { IncomingMessage } from 'node:http';
import { responseOf, success } from '../../shared/platform/http/envelope.ts';
import { authenticate, type VerifyToken } from '../../shared/platform/http/tokens.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { addMadeUpCampaign } from '../simulation/made-up-campaign.ts';
import { ServiceClient } from '../simulation/service-client.ts';
import { Simulator } from '../simulation/simulator.ts';

const contactCount = 300;
/** Slow enough to watch, and done in a few minutes. */
const callsPerSecond = 4;
const wishes = { callback: 0.08, doNotCall: 0.03 };
const mix = { success: 0.55, noAnswer: 0.3, ...wishes, disposition: 0.9, data: 0.7, summary: 0.7 };
/** Some people are called back in a minute, others later in the day. */
const callbackSeconds = [60, 60, 2 * 3600];
/** The simulator ends when the contacts that are left wait for longer than that. */
const longestWaitSeconds = 300;
const rules = { maxDialCount: 3, callInterval: 20, priority: 3 };

export type SampleState = { running: boolean; taskId: string | null };

/**
 * A task with made-up contacts that may be called at any hour, and a simulator, for a first look at
 * the console.
 */
export class Sample {
  readonly #service: () => ServiceClient;
  #simulator: Simulator | undefined;
  #taskId: string | null = null;
  #starting: Promise<SampleState> | undefined;

  constructor(url: string, accessToken: string) {
    this.#service = () => new ServiceClient(url, accessToken);
  }

  get state(): SampleState {
    return { running: this.#simulator !== undefined, taskId: this.#taskId };
  }

  /** A second call while the sample starts does not start another one. */
  start(): Promise<SampleState> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    return this.#starting;
  }

  stop(): SampleState {
    this.#simulator?.stop();
    this.#simulator = undefined;
    return this.state;
  }

  async #start(): Promise<SampleState> {
    if (this.#simulator !== undefined) return this.state;
    const service = this.#service();
    this.#taskId = (await addMadeUpCampaign(service, contactCount, rules)).taskId;
    const simulator = new Simulator(service, {
      callsPerSecond,
      mix,
      seed: 1,
      taskId: this.#taskId,
      untilIdle: true,
      callbackSeconds,
      longestWaitSeconds,
    });
    this.#simulator = simulator;
    // The state shows that it has ended, but not why.
    void simulator
      .run()
      .catch(() => {})
      .finally(() => {
        if (this.#simulator === simulator) this.#simulator = undefined;
      });
    return this.state;
  }
}

const scope = 'outbound/write';

/** Routes for the console of the local service. They are not in the route table and not on AWS. */
export const sampleDoor = (sample: Sample, verify: VerifyToken) => {
  const actions: Record<string, () => SampleState | Promise<SampleState>> = {
    'GET /local/sample': () => sample.state,
    'POST /local/sample/start': () => sample.start(),
    'POST /local/sample/stop': () => sample.stop(),
  };
  return async ({ method, headers }: IncomingMessage, pathname: string, requestId: string) => {
    const action = actions[`${method} ${pathname}`];
    if (action === undefined) return undefined;
    const { scopes } = await authenticate(headers.authorization, verify);
    if (!scopes.includes(scope)) {
      throw new ServiceError('FORBIDDEN', `the access token lacks the scope ${scope}`);
    }
    return responseOf(success(await action()), requestId);
  };
};

export type SampleDoor = ReturnType<typeof sampleDoor>;
