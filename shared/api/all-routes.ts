import { accessOf } from './access.ts';
import type { Route } from './route.ts';
import * as routes from './routes/index.ts';

/** In the order of the documentation. */
const table: readonly Route[] = [
  routes.listTasks,
  routes.taskOverviews,
  routes.taskDetail,
  routes.addTask,
  routes.updateTask,
  routes.adjustTask,
  routes.publishTask,
  routes.pauseTask,
  routes.resumeTask,
  routes.stopTask,
  routes.closeTask,
  routes.taskOverview,
  routes.taskTimeline,
  routes.taskContacts,
  routes.taskHistory,
  routes.taskStat,
  routes.recallTask,
  routes.exportTask,
  routes.listDataSources,
  routes.dataSourceDetail,
  routes.addDataSource,
  routes.updateDataSource,
  routes.listContacts,
  routes.contactDetail,
  routes.addContact,
  routes.updateContact,
  routes.deleteContact,
  routes.batchAdd,
  routes.batchDelete,
  routes.importPreview,
  routes.filePreview,
  routes.batchImport,
  routes.importUpload,
  routes.importStatus,
  routes.listImports,
  routes.rejectedRows,
  routes.cancelImport,
  routes.batchExport,
  routes.leaseCalls,
  routes.reportResult,
  routes.releaseCall,
  routes.extendLease,
  routes.failTask,
];

/** Every route with its whole access, for the router, the stack and the documentation. */
export const allRoutes: readonly Route[] = table.map((route) => ({ ...route, access: accessOf(route) }));
