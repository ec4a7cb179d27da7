import { type PhonePlan, withoutCountry } from '../domain/contacts/phone-number.ts';
import { countryFrom } from '../settings/environment.ts';

/** How phone numbers of the service's country are written. The library is loaded for the first number. */
export type LazyPhonePlan = () => Promise<PhonePlan>;

const load = () => import('./phone-plan.ts');

/** Without a country, numbers stay as they are and nothing is loaded. */
export const phonePlanIn = (code: string): LazyPhonePlan => {
  const country = countryFrom(code);
  let plan: Promise<PhonePlan> | undefined;
  return async () => {
    if (country === '') return withoutCountry;
    plan ??= load().then(({ planIn }) => planIn(country));
    return plan;
  };
};

/** To find a person: without a country, an international number is looked up in the spellings of its own country. */
export const personPlanIn = (code: string, plan: LazyPhonePlan): LazyPhonePlan =>
  countryFrom(code) === '' ? async () => (await load()).planOfPersons : plan;
