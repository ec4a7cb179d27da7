import { type PhonePlan, withoutCountry } from '../domain/contacts/phone-number.ts';
import { countryFrom } from '../settings/environment.ts';

/** How phone numbers of the service's country are written. The library is loaded for the first number. */
export type LazyPhonePlan = () => Promise<PhonePlan>;

/** Without a country, numbers stay as they are and nothing is loaded. */
export const phonePlanIn = (code: string): LazyPhonePlan => {
  const country = countryFrom(code);
  let plan: Promise<PhonePlan> | undefined;
  return async () => {
    if (country === '') return withoutCountry;
    plan ??= import('./phone-plan.ts').then(({ planIn }) => planIn(country));
    return plan;
  };
};
