export {
  countContacts,
  countHeldContacts,
  deleteContacts,
  excludeNumbers,
  exportContacts,
  findDataSource,
  findDataSources,
  moveCallsOfSource,
  pointFromNumbers,
  reconsiderContacts,
  useDataSource,
} from './access.ts';
export * from './routes/contacts.ts';
export * from './routes/data-sources.ts';
