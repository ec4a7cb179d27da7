export * from './effects.ts';
export * from './stored-answers.ts';
