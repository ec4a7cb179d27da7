export {
  attemptId,
  idOnce,
  isDoneBefore,
  noteAhead,
  notesOf,
  once,
  type Trace,
  withinAttempt,
} from './effects.ts';
export { type KeptAnswer, KeptAnswers } from './stored-answers.ts';
