export * from './answers.ts';
export * from './body-names.ts';
export * from './route.ts';
export * from './schemas.ts';
