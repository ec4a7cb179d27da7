export {
  type ContactImport,
  importView,
  troubleView,
  visibilityOf,
} from './rules/contact-import.ts';
export { readImportForm, readImportOptions } from './rules/import-options.ts';
