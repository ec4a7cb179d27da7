export { Agenda, type Entry, parked, type ReadEntry } from './agenda.ts';
export { type Worked, type Worker, workOff } from './due-work.ts';
export * from './work.ts';
