export { finishErasing } from './access.ts';
export * from './routes/person.ts';
