export { type PendingRemoval, Removals } from './removals.ts';
