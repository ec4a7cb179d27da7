export { Erasures } from './erasures.ts';
export { PersonFinder } from './person-finder.ts';
