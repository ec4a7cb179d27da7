import type { EventType, ServiceEvent } from '../domain/events/service-event.ts';

export const eventSource = 'outbound.tasks';

const detailTypes = {
  'task.state_changed': 'Task State Changed',
  'task.deleted': 'Task Deleted',
  'call.ended': 'Call Ended',
  'call.annotated': 'Call Annotated',
  'contact.settled': 'Contact Outcome Final',
  'contact.erased': 'Contact Erased',
  'import.ended': 'Import Ended',
  'data_source.deleted': 'Data Source Deleted',
  'webhook.disabled': 'Webhook Disabled',
} as const satisfies Record<EventType, string>;

/** An event as EventBridge has it. */
export const busEvent = ({ id, type, data }: ServiceEvent) => ({
  detailType: detailTypes[type],
  detail: { id, ...data },
});
