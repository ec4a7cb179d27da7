/** The old words of optimistic.ts, for dialing only until it speaks the new ones. */
export { isLost, Lost as Outdated, optimistic, unlessLost as unlessRefused } from './optimistic.ts';
