import { type Numbering, withoutCountry } from '../domain/contacts/phone-number.ts';
import { countryFrom } from '../settings/environment.ts';

/** How phone numbers of the service's country are written. The library is loaded for the first number. */
export type LazyPhonePlan = () => Promise<Numbering>;

const load = () => import('./numbering.ts');

/** Without a country, numbers stay as they are and nothing is loaded. */
export const numberingIn = (code: string): LazyPhonePlan => {
  const country = countryFrom(code);
  let plan: Promise<Numbering> | undefined;
  return async () => {
    if (country === '') return withoutCountry;
    plan ??= load().then(({ planIn }) => planIn(country));
    return plan;
  };
};

/** To find a person: without a country, an international number is looked up in the spellings of its own country. */
export const personPlanIn = (code: string, plan: LazyPhonePlan): LazyPhonePlan =>
  countryFrom(code) === '' ? async () => (await load()).planOfPersons : plan;
