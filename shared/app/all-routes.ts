import * as calls from '../calls/routes.ts';
import * as contacts from '../contacts/routes.ts';
import * as dialing from '../dialing/routes.ts';
import * as events from '../events/routes.ts';
import * as imports from '../imports/routes.ts';
import * as insight from '../insight/routes.ts';
import * as people from '../people/routes.ts';
import { accessOf, type Resources, type Route, usualResources } from '../platform/api/index.ts';
import * as tasks from '../tasks/routes.ts';

/** The route table: every endpoint, declared once, in the order of the documentation. */
export const routes = {
  listTasks: tasks.listTasks,
  taskOverviews: insight.taskOverviews,
  taskBoard: insight.taskBoard,
  taskDetail: tasks.taskDetail,
  addTask: tasks.addTask,
  updateTask: tasks.updateTask,
  adjustTask: tasks.adjustTask,
  preflightTask: insight.preflightTask,
  preflightBlocked: insight.preflightBlocked,
  publishTask: tasks.publishTask,
  pauseTask: tasks.pauseTask,
  resumeTask: tasks.resumeTask,
  stopTask: tasks.stopTask,
  closeTask: tasks.closeTask,
  deleteTask: tasks.deleteTask,
  taskOverview: insight.taskOverview,
  taskTimeline: insight.taskTimeline,
  taskContacts: insight.taskContacts,
  taskCallList: calls.taskCallList,
  callDetail: calls.callDetail,
  exportCalls: insight.exportCalls,
  taskHistory: tasks.taskHistory,
  taskStat: insight.taskStat,
  recallTask: dialing.recallTask,
  exportTask: insight.exportTask,
  listDataSources: contacts.listDataSources,
  dataSourceDetail: contacts.dataSourceDetail,
  addDataSource: contacts.addDataSource,
  updateDataSource: contacts.updateDataSource,
  deleteDataSource: contacts.deleteDataSource,
  listContacts: contacts.listContacts,
  contactDetail: contacts.contactDetail,
  addContact: contacts.addContact,
  updateContact: contacts.updateContact,
  deleteContact: contacts.deleteContact,
  batchAdd: imports.batchAdd,
  batchDelete: imports.batchDelete,
  importPreview: imports.importPreview,
  filePreview: imports.filePreview,
  batchImport: imports.batchImport,
  importUpload: imports.importUpload,
  importStatus: imports.importStatus,
  listImports: imports.listImports,
  rejectedRows: imports.rejectedRows,
  cancelImport: imports.cancelImport,
  batchExport: insight.batchExport,
  findPerson: people.findPerson,
  erasePerson: people.erasePerson,
  leaseCalls: dialing.leaseCalls,
  reportResult: dialing.reportResult,
  reportResults: dialing.reportResults,
  annotateCall: calls.annotateCall,
  releaseCall: dialing.releaseCall,
  extendLease: dialing.extendLease,
  failTask: dialing.failTask,
  listEvents: events.listEvents,
  addWebhook: events.addWebhook,
  updateWebhook: events.updateWebhook,
  deleteWebhook: events.deleteWebhook,
  listWebhooks: events.listWebhooks,
  listDeliveries: events.listDeliveries,
  sendToWebhook: events.sendToWebhook,
  describeService: insight.describeService,
  describeDay: insight.describeDay,
} as const satisfies Record<string, Route>;

/** Every route with its resources and its whole access, for the router, the stack and the documentation. */
export const allRoutes: readonly (Route & Resources)[] = Object.values<Route>(routes).map((route) => ({
  ...usualResources,
  ...route,
  access: accessOf(route),
}));
