import { invalid } from '../errors.ts';
import { eventTypes, isEventType, type ServiceEvent } from './service-event.ts';

export type EventFilter = (event: ServiceEvent) => boolean;

/** `types`: separated by commas; absent: all. @throws ServiceError INVALID naming a type that does not exist */
export const eventFilter = (types: string | undefined, taskId: string | undefined): EventFilter => {
  const wanted = types?.split(',').map((type) => type.trim());
  const unknown = wanted?.find((type) => !isEventType(type));
  if (unknown !== undefined)
    throw invalid('types', `"${unknown}" is not a type of events; there are ${eventTypes.join(', ')}`);
  return ({ type, data }) =>
    (wanted === undefined || wanted.includes(type)) && (taskId === undefined || data.taskId === taskId);
};
