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
export { addContact, contactDetail, deleteContact, listContacts, updateContact } from './routes/contacts.ts';
export {
  addDataSource,
  dataSourceDetail,
  deleteDataSource,
  listDataSources,
  updateDataSource,
} from './routes/data-sources.ts';
