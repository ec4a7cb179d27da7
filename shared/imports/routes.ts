export {
  findDueImports,
  importArrived,
  importKept,
  registerImport,
  runImport,
  seeTroubledImports,
} from './access.ts';
export * from './routes/contact-batches.ts';
export {
  batchImport,
  cancelImport,
  fileTag,
  importStatus,
  importUpload,
  listImports,
  rejectedRows,
  runningImports,
  troubledImports,
} from './routes/contact-files.ts';
export * from './routes/contact-previews.ts';
