import type { Agenda } from '../store/agenda/index.ts';
import { EventList } from '../store/events/index.ts';
import type { Database } from '../store/table/index.ts';
import {
  DeliveryRows,
  Resends,
  Turns,
  WaitingDeliveries,
  WebhookReader,
  Webhooks,
} from '../store/webhooks/index.ts';

/** The list of events, and the stores of webhooks. */
export const openWebhooks = ({
  database,
  agenda,
  newId,
}: {
  database: Database;
  agenda: Agenda;
  newId: () => string;
}) => {
  const stores = {
    eventList: new EventList(database),
    webhooks: new Webhooks(database),
    turns: new Turns(database),
    waiting: new WaitingDeliveries(agenda),
    rows: new DeliveryRows(database),
  };
  return {
    ...stores,
    webhookReader: new WebhookReader(stores),
    resends: new Resends({ ...stores, database, newId }),
  };
};
