import { doNotCall } from '../../../shared/contacts/rules/data-source.ts';
import { type Item, keys } from '../../../shared/platform/table/keys.ts';
import { taskSettings } from '../../../shared/tasks/rules/task-settings.ts';
import { Shelf } from './audit.ts';

/** What an outsider could tell apart of a table, without ids, versions and times. */
export type Effects = {
  dataSources: Record<
    string,
    { description: unknown; contacts: ReturnType<typeof contactOf>[]; imports: unknown[] }
  >;
  tasks: Record<string, { settings: unknown; status: unknown; history: unknown[]; contacts: unknown[] }>;
  webhooks: unknown[];
};

const contactOf = ({ sk, phone, fields, status, callCount }: Item) => ({
  sk,
  phone,
  fields,
  status,
  callCount,
});

const importOf = ({ fileName, status, importCount, successCount, failCount, message }: Item) => ({
  fileName,
  status,
  importCount,
  successCount,
  failCount,
  message,
});

const taskContacts = (shelf: Shelf, task: Item) =>
  shelf.taskContacts(String(task.id)).map((contact) => ({
    seq: contact.seq,
    state: contact.state,
    priority: contact.priority,
    attempts: contact.attempts,
    outcome: contact.outcome,
    calls: contact.results.map(({ outcome, duration, reason }) => [outcome, duration, reason]),
    isRecalled: contact.lease?.isBeforeRecall ?? false,
    isDeferred: contact.state === 'waiting' && contact.deferTime !== undefined,
  }));

const webhookOf = (shelf: Shelf, webhook: Item) => ({
  url: webhook.url,
  types: webhook.types,
  description: webhook.description,
  enabled: webhook.enabled,
  secrets: (webhook.secrets as unknown[]).length,
  waiting: shelf
    .below(keys.agendaEntry('delivery', String(webhook.id), '').pk)
    .map(({ event }) => (JSON.parse(String(event)) as { type: string }).type),
  stretches: shelf.below(keys.agendaEntry('stretch', String(webhook.id), '').pk).length,
});

export const effectsOf = (items: readonly Item[]): Effects => {
  const shelf = new Shelf(items);
  const builtIn = { id: doNotCall.id, dataSourceName: doNotCall.id };
  const dataSources = [...shelf.records('dataSource'), builtIn as unknown as Item].map((source) => {
    const id = String(source.id);
    const imports = shelf.below(`DS#${id}`, keys.import(id, '').sk).map(importOf);
    const found = {
      description: source.dataSourceDesc,
      contacts: shelf.contacts(id).map(contactOf),
      imports: imports.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
    };
    return [String(source.dataSourceName), found] as const;
  });
  const tasks = shelf.records('task').map((task) => {
    const names = Object.keys(taskSettings);
    const found = {
      settings: Object.fromEntries(names.flatMap((name) => (name in task ? [[name, task[name]]] : []))),
      status: task.status,
      history: shelf
        .below(`TASK#${task.id}`, keys.historyPrefix)
        .map(({ operation, from, to, reason }) => ({ operation, from, to, reason })),
      contacts: taskContacts(shelf, task),
    };
    return [String(task.taskName), found] as const;
  });
  const webhooks = shelf.below(keys.webhooks).map((webhook) => webhookOf(shelf, webhook));
  return { dataSources: Object.fromEntries(dataSources), tasks: Object.fromEntries(tasks), webhooks };
};
