const international = /^\+[1-9]\d{2,14}$/;

/**
 * The number in E.164 form, which Connect demands; `prefix`, such as +86, is for numbers without a
 * country code. `undefined` when it cannot be called.
 */
export const destinationOf = (phoneNumber: string, prefix: string): string | undefined => {
  const number = phoneNumber.startsWith('+') ? phoneNumber : `${prefix}${phoneNumber}`;
  return international.test(number) ? number : undefined;
};
