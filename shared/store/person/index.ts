export { type FoundPerson, PersonFinder } from './person-finder.ts';
