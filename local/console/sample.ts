import type { IncomingMessage } from 'node:http';
import { ServiceRefusal } from '../../client/service-error.ts';
import { responseOf, success } from '../../shared/platform/http/envelope.ts';
import { authenticate, type VerifyToken } from '../../shared/platform/http/tokens.ts';
import { ServiceError } from '../../shared/platform/rules/errors.ts';
import { fileForm, madeUpContacts, surveyDispositions } from '../simulation/made-up.ts';
import { ServiceClient } from '../simulation/service-client.ts';
import { Simulator } from '../simulation/simulator.ts';

const contactCount = 300;
/** Slow enough to watch, and done in a few minutes. */
const callsPerSecond = 4;
const wishes = { callback: 0.08, doNotCall: 0.03 };
const mix = { success: 0.55, noAnswer: 0.3, ...wishes, disposition: 0.9, data: 0.7, summary: 0.7 };
const rules = { maxDialCount: 3, callInterval: 20, priority: 3 };

export type SampleState = { running: boolean; taskId: string | null };

const conflict = 409;

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
    this.#taskId = (await addSampleTask(service, contactCount, rules)).taskId;
    const simulator = new Simulator(service, {
      callsPerSecond,
      mix,
      seed: 1,
      taskId: this.#taskId,
      untilIdle: true,
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

/** If the name is in use, adds a number to it. */
const addWithFreeName = async <T>(name: string, add: (name: string) => Promise<T>): Promise<T> => {
  for (let count = 1; ; count++) {
    try {
      return await add(count === 1 ? name : `${name} ${count}`);
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof ServiceRefusal && cause.code === conflict)) throw error;
    }
  }
};

const allDay = { dailyStartTime: '00:00', dailyEndTime: '24:00' };

type DialingRules = { maxDialCount: number; callInterval: number; priority: number };

/** Adds a data source, fills it from a file, and publishes a task that calls its contacts. */
export const addSampleTask = async (service: ServiceClient, contactCount: number, rules: DialingRules) => {
  const { api } = service;
  const source = await addWithFreeName('Made-up contacts', (dataSourceName) => {
    const dataSourceDesc = 'Invented people; their numbers are reserved for fiction';
    return service.ask(api.POST('/api/dataSource/add', { body: { dataSourceName, dataSourceDesc } }));
  });
  const { successCount: imported } = await service.ask(
    api.POST('/api/dataSource/{id}/contact/batchImport', {
      params: { path: { id: source.id } },
      body: fileForm(madeUpContacts(contactCount), 'made-up-contacts.csv') as never,
    }),
  );
  const task = await addWithFreeName('Spring survey', (taskName) => {
    const taskDesc = 'Called by the simulator: no phone rings';
    const dispositions = [...surveyDispositions];
    const body = { taskName, taskDesc, dataSourceId: source.id, dispositions, ...allDay, ...rules };
    return service.ask(api.POST('/api/task/add', { body }));
  });
  await service.ask(api.POST('/api/task/publish', { body: { id: task.id } }));
  return { taskId: task.id, imported };
};

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
