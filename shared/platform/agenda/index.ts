export { Agenda, type Entry, parked, type ReadEntry } from './agenda.ts';
export { type Worked, type Worker, workOff } from './due-work.ts';
export {
  callbacksOf,
  callsOf,
  deferredOf,
  deliveryWork,
  earliestZone,
  endOfTask,
  erasureWork,
  importWork,
  oldCallsWork,
  quietMs,
  removalWork,
  stretchWork,
  type WorkerKind,
} from './work.ts';
