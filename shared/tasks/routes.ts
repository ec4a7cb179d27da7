export {
  completeTask,
  countCalls,
  endCalls,
  findTask,
  listTaskHeaders,
  moveCalls,
  putTask,
  reconsiderAll,
  scheduleCalls,
  scheduleCallsAgain,
  scheduleEnd,
  stopOverdue,
} from './access.ts';
export { taskHistory } from './routes/task-history.ts';
export { closeTask, deleteTask, pauseTask, publishTask, resumeTask, stopTask } from './routes/task-moves.ts';
export { cause, outcome, taskCalls, taskMoved, taskTag } from './routes/task-parts.ts';
export { addTask, adjustTask, listTasks, taskDetail, updateTask } from './routes/tasks.ts';
