import type { PhoneForm } from '../domain/contacts/phone-number.ts';
import { countryFrom } from '../settings/environment.ts';

/** How phone numbers of the service's country are written. The library is loaded for the first number. */
export type LazyPhoneForm = () => Promise<PhoneForm>;

/** Without a country, numbers stay as they are and nothing is loaded. */
export const phoneFormIn = (code: string): LazyPhoneForm => {
  const country = countryFrom(code);
  let form: Promise<PhoneForm> | undefined;
  return async () => {
    if (country === '') return (number) => number;
    // A module of ours: bundles keep it, with the library, in a file of its own.
    form ??= import('./phone-form.ts').then(({ formIn }) => formIn(country));
    return form;
  };
};
