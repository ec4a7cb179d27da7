export { lastCopyExpires, personContactRow } from './rules/person.ts';
