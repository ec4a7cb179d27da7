/**
 * Tasks: their settings, their states, and what was done to them.
 *
 * - A task is one record. Each operation on it is one transaction, on the version that was read: the record, an entry of the
 *   task's history, and the work that follows from the change on the agenda. Of two operations at once the second sees what
 *   the first left, or is refused.
 * - One table (`rules/task-states.ts`) says in which state an operation is allowed, and where it leads. Clients publish, pause,
 *   resume, stop, recall, close and delete. The service itself completes a task, stops it at its `callUntil`, and pauses it when
 *   too many calls fail. The history names it as `service`.
 * - One list (`rules/task-settings.ts`) has every setting. Some may be adjusted while the task runs.
 * - A task keeps its data sources: a transaction that comes to name one fails if the source is deleted at the same moment.
 * - Counters and the times at which dialers asked lie beside the task. Dialing writes them, and this room reads them.
 *
 * A process that dies leaves the task as it was before or after the transaction. A request that is sent again under its key is
 * answered from the record of its effect. The items of a deleted task are removed later, by the agenda.
 */
export * from './store/task-items.ts';
export { type TaskOfSource, Tasks } from './store/tasks.ts';
