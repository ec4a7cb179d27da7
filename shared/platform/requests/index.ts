export { type EffectRecord, idOnce, noteAhead, once, type RequestKey, readNotes } from './effects.ts';
export { type AnswerClaim, type StoredAnswer, StoredAnswers } from './stored-answers.ts';
