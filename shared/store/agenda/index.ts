export { Agenda, type Entry, parked, type ReadEntry } from './agenda.ts';
export { type Worked, type Worker, workOff } from './due-work.ts';
export {
  callbacksOf,
  callsOf,
  deferredOf,
  earliestZone,
  endOfTask,
  erasureWork,
  importWork,
  oldCallsWork,
  quietMs,
  removalWork,
  type Work,
  type WorkerKind,
} from './work.ts';
