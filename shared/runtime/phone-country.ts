import type { PhoneForm } from '../domain/contacts/phone-number.ts';
import { countryFrom } from '../settings/environment.ts';

/** How phone numbers of the service's country are written; loaded when the first one is. */
export type LazyPhoneForm = () => Promise<PhoneForm>;

/** Numbers stay as they were cleaned where no country is set, and nothing is loaded. */
export const phoneFormIn = (code: string): LazyPhoneForm => {
  const country = countryFrom(code);
  let form: Promise<PhoneForm> | undefined;
  return async () => {
    if (country === '') return (number) => number;
    // A module of ours, so that bundles keep the library apart until it is needed.
    form ??= import('./phone-form.ts').then(({ formIn }) => formIn(country));
    return form;
  };
};
