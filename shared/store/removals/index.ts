export { type Removal, Removals, removalOf } from './removals.ts';
