import { ServiceRefusal } from '../../client/service-error.ts';
import { fileForm, madeUpContacts } from '../simulation/made-up-contacts.ts';
import { ServiceClient } from '../simulation/service-client.ts';
import { Simulator } from '../simulation/simulator.ts';

const contactCount = 300;
/** Slow enough to be watched, done in a few minutes. */
const pace = { callsPerSecond: 4, secondMs: 60 };
const mix = { success: 0.55, noAnswer: 0.3 };

export type SampleState = { running: boolean; taskId: string | null };

const conflict = 409;

/** Made-up contacts, a task that may call them at any hour, and the simulator: for a first look at the console. */
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

  /** Pressed twice, it starts once. */
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
    this.#taskId = await prepare(service);
    const simulator = new Simulator(service, {
      ...pace,
      mix,
      seed: 1,
      taskId: this.#taskId,
      untilIdle: true,
    });
    this.#simulator = simulator;
    // Whatever ends it, the task or the service, there is nobody to tell but those who look.
    void simulator
      .run()
      .catch(() => {})
      .finally(() => {
        if (this.#simulator === simulator) this.#simulator = undefined;
      });
    return this.state;
  }
}

/** A second sample gets names of its own. */
const freshlyNamed = async <T>(name: string, add: (name: string) => Promise<T>): Promise<T> => {
  for (let count = 1; ; count++) {
    try {
      return await add(count === 1 ? name : `${name} ${count}`);
    } catch (error) {
      const { cause } = error as Error;
      if (!(cause instanceof ServiceRefusal && cause.code === conflict)) throw error;
    }
  }
};

const addSource = (service: ServiceClient) =>
  freshlyNamed('Made-up contacts', (dataSourceName) =>
    service.ask(
      service.api.POST('/api/dataSource/add', {
        body: { dataSourceName, dataSourceDesc: 'Invented people; their numbers are kept free for fiction' },
      }),
    ),
  );

const addTask = (service: ServiceClient, dataSourceId: string) =>
  freshlyNamed('Spring survey', (taskName) =>
    service.ask(
      service.api.POST('/api/task/add', {
        body: {
          taskName,
          taskDesc: 'Called by the simulator: no phone rings',
          dataSourceId,
          dailyStartTime: '00:00',
          dailyEndTime: '24:00',
          maxDialCount: 3,
          callInterval: 20,
          priority: 3,
        },
      }),
    ),
  );

const prepare = async (service: ServiceClient): Promise<string> => {
  const source = await addSource(service);
  await service.ask(
    service.api.POST('/api/dataSource/{id}/contact/batchImport', {
      params: { path: { id: source.id } },
      body: fileForm(madeUpContacts(contactCount), 'made-up-contacts.csv') as never,
    }),
  );
  const task = await addTask(service, source.id);
  await service.ask(service.api.POST('/api/task/publish', { body: { id: task.id } }));
  return task.id;
};
