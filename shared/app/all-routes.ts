import { annotateCall, callDetail, taskCallList } from '../calls/routes/calls.ts';
import {
  addContact,
  contactDetail,
  deleteContact,
  listContacts,
  updateContact,
} from '../contacts/routes/contacts.ts';
import {
  addDataSource,
  dataSourceDetail,
  deleteDataSource,
  listDataSources,
  updateDataSource,
} from '../contacts/routes/data-sources.ts';
import {
  extendLease,
  failTask,
  leaseCalls,
  recallTask,
  releaseCall,
  reportResult,
  reportResults,
} from '../dialing/routes/dialer.ts';
import { listEvents } from '../events/routes/events.ts';
import {
  addWebhook,
  deleteWebhook,
  listDeliveries,
  listWebhooks,
  sendToWebhook,
  updateWebhook,
} from '../events/routes/webhooks.ts';
import { batchAdd, batchDelete } from '../imports/routes/contact-batches.ts';
import {
  batchImport,
  cancelImport,
  importStatus,
  importUpload,
  listImports,
  rejectedRows,
} from '../imports/routes/contact-files.ts';
import { filePreview, importPreview } from '../imports/routes/contact-previews.ts';
import { batchExport, exportCalls, exportTask } from '../insight/routes/exports.ts';
import { describeDay, describeService } from '../insight/routes/service.ts';
import { taskBoard, taskContacts, taskStat, taskTimeline } from '../insight/routes/task-insight.ts';
import { taskOutlook } from '../insight/routes/task-outlook.ts';
import { taskOverview, taskOverviews } from '../insight/routes/task-overviews.ts';
import { preflightBlocked, preflightTask } from '../insight/routes/task-preflight.ts';
import { erasePerson, findPerson } from '../people/routes/people.ts';
import { accessOf, type Resources, type Route, usualResources } from '../platform/api/route.ts';
import {
  closeTask,
  deleteTask,
  pauseTask,
  publishTask,
  resumeTask,
  stopTask,
  taskHistory,
} from '../tasks/routes/task-moves.ts';
import { addTask, adjustTask, listTasks, taskDetail, updateTask } from '../tasks/routes/tasks.ts';

/** The route table: every endpoint, declared once, in the order of the documentation. */
export const routes = {
  listTasks,
  taskOverviews,
  taskBoard,
  taskDetail,
  addTask,
  updateTask,
  adjustTask,
  preflightTask,
  preflightBlocked,
  publishTask,
  pauseTask,
  resumeTask,
  stopTask,
  closeTask,
  deleteTask,
  taskOverview,
  taskOutlook,
  taskTimeline,
  taskContacts,
  taskCallList,
  callDetail,
  exportCalls,
  taskHistory,
  taskStat,
  recallTask,
  exportTask,
  listDataSources,
  dataSourceDetail,
  addDataSource,
  updateDataSource,
  deleteDataSource,
  listContacts,
  contactDetail,
  addContact,
  updateContact,
  deleteContact,
  batchAdd,
  batchDelete,
  importPreview,
  filePreview,
  batchImport,
  importUpload,
  importStatus,
  listImports,
  rejectedRows,
  cancelImport,
  batchExport,
  findPerson,
  erasePerson,
  leaseCalls,
  reportResult,
  reportResults,
  annotateCall,
  releaseCall,
  extendLease,
  failTask,
  listEvents,
  addWebhook,
  updateWebhook,
  deleteWebhook,
  listWebhooks,
  listDeliveries,
  sendToWebhook,
  describeService,
  describeDay,
} as const satisfies Record<string, Route>;

/**
 * Every route with its resources and its whole access, for the router, the stack and the
 * documentation.
 */
export const allRoutes: readonly (Route & Resources)[] = Object.values<Route>(routes).map((route) => ({
  ...usualResources,
  ...route,
  access: accessOf(route),
}));
