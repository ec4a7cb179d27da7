export * from './rules/person.ts';
