import { personNumberingIn } from '../../contacts/phone-country.ts';
import { Erasures } from '../../people/erasures.ts';
import { PersonFinder } from '../../people/person-finder.ts';
import type { Base } from './base.ts';
import { rulesOf } from './dialing.ts';
import { type ImportRuntime, openImports } from './imports.ts';

export const withPeople = <S extends ImportRuntime>(stores: S) => {
  const { settings, lagging } = stores;
  const phones = personNumberingIn(settings.country, stores.phones);
  return {
    ...stores,
    personFinder: new PersonFinder({ ...lagging, rules: rulesOf(stores), phones }),
    erasures: new Erasures({ ...stores, phones, tasks: lagging.tasks }),
  };
};

/** What finds and erases a person. */
export const openPeople = (base: Base) => withPeople(openImports(base));

export type PeopleRuntime = ReturnType<typeof openPeople>;
