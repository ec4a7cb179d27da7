export { type LeasePace, Pace, readServiceRoom, readTaskRoom } from './pace.ts';
