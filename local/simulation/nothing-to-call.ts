import type { TaskOverview } from '../../client/client.ts';
import { ServiceRefusal } from '../../client/service-error.ts';
import { status } from '../../shared/tasks/rules/task-states.ts';
import type { ServiceClient } from './service-client.ts';

type Dialing = TaskOverview['dialing'];
type Words = (dialing: Dialing) => string;

const until = ({ nextTime }: Dialing) => (nextTime === null ? '' : ` until ${nextTime}`);

/** With any other reason, or none, a contact can be called now. */
const words: { [R in NonNullable<Dialing['reason']>]?: Words } = {
  DRAFT: () => 'it is a draft; publish it first',
  PAUSED: () => 'it is paused',
  ENDED: () => 'it has ended',
  NO_CONTACTS: () => 'it has no contact to call',
  OUTSIDE_HOURS: (dialing) => `its hours are closed${until(dialing)}`,
  WAITING_FOR_RETRY: (dialing) => `its contacts wait for a retry or a callback${until(dialing)}`,
  ALL_IN_CALL: () => 'all its contacts are in a call',
  AT_LIMIT: (dialing) => `a limit holds it back, ${dialing.limit}${until(dialing)}`,
};

const tasksAtMost = 20;
const forbidden = 403;

const overviewsOf = async (service: ServiceClient, taskId: string | undefined) => {
  if (taskId !== undefined) return [await service.overview(taskId)];
  const query = { status: status.running, pageSize: tasksAtMost };
  return (await service.ask(service.api.GET('/api/task/board', { params: { query } }))).rows;
};

/**
 * Lines that say why no contact can be called now, of each task that is simulated.
 * @returns none if a contact can be called, or if the token does not allow a look
 * @throws SimulationError
 */
export const nothingToCall = async (service: ServiceClient, taskId?: string): Promise<string[]> => {
  let overviews: TaskOverview[];
  try {
    overviews = await overviewsOf(service, taskId);
  } catch (error) {
    const { cause } = error as Error;
    if (cause instanceof ServiceRefusal && cause.code === forbidden) return [];
    throw error;
  }
  if (overviews.length === 0) return ['Nothing to call: no task is RUNNING. Publish one first.'];
  const reasons = overviews.map(({ taskName, dialing }) => {
    const word = dialing.reason === null ? undefined : words[dialing.reason];
    return word && `  ${taskName}: ${word(dialing)}`;
  });
  const lines = reasons.filter((line) => line !== undefined);
  return lines.length < overviews.length ? [] : ['Nothing to call now:', ...lines];
};
