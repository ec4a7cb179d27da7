export {
  findDueImports,
  importArrived,
  importKept,
  registerImport,
  runImport,
  seeTroubledImports,
} from './access.ts';
export { batchAdd, batchDelete } from './routes/contact-batches.ts';
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
export { filePreview, importPreview } from './routes/contact-previews.ts';
