export { OldCalls } from './old-calls.ts';
export { type Removal, Removals, removalOf } from './removals.ts';
