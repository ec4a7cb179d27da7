export * from './errors.ts';
export * from './files.ts';
export * from './names.ts';
