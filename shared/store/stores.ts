import { Agenda } from './agenda/index.ts';
import { CallRecords } from './calls/index.ts';
import { Contacts, DataSources } from './contacts/index.ts';
import { Selection, TaskContacts } from './dialing/index.ts';
import { ImportedContacts, ImportRecords } from './imports/index.ts';
import type { Database } from './table/index.ts';
import { ServiceDays, Tasks, TaskTimeline } from './tasks/index.ts';

/**
 * The stores of a table that others are built on, each made once. `keepCallsDays`: how long records of calls are kept; 0: as
 * long as their tasks.
 */
export const openStores = (database: Database, keepCallsDays = 0) => {
  const agenda = new Agenda(database);
  const tasks = new Tasks(database, agenda);
  const importRecords = new ImportRecords(database, agenda);
  const contacts = new Contacts(database, agenda);
  const taskContacts = new TaskContacts(database);
  const selection = new Selection({ database, agenda, tasks, contacts, taskContacts });
  return {
    agenda,
    tasks,
    contacts,
    selection,
    dataSources: new DataSources(database, agenda, tasks),
    importRecords,
    importedContacts: new ImportedContacts(database, agenda, importRecords, (...changed) =>
      selection.reconsider(...changed),
    ),
    taskContacts,
    callRecords: new CallRecords(database, keepCallsDays),
    timeline: new TaskTimeline(database),
    days: new ServiceDays(database),
  };
};
