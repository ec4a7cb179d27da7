export * from './rules/contact.ts';
export * from './rules/contact-filter.ts';
export * from './rules/data-source.ts';
export * from './rules/phone-number.ts';
