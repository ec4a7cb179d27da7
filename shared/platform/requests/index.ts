export { type EffectRecord, idOnce, noteAhead, once, type RequestKey, readNotes } from './effects.ts';
export { inProgress, type StoredAnswer, StoredAnswers } from './stored-answers.ts';
