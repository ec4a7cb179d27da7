/** The route table: every endpoint, declared once. */
export * from './routes/contact-files.ts';
export * from './routes/contacts.ts';
export * from './routes/data-sources.ts';
export * from './routes/dialer.ts';
export * from './routes/task-calls.ts';
export * from './routes/task-history.ts';
export * from './routes/task-insight.ts';
export * from './routes/task-moves.ts';
export * from './routes/tasks.ts';
