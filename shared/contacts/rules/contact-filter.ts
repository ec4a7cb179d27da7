import type { FromSchema } from 'json-schema-to-ts';
import { invalid } from '../../platform/rules/errors.ts';
import { type Contact, reservedFields } from './contact.ts';

/** The schema of a filter, an input of a task. */
export const contactFilter = {
  type: 'array',
  items: {
    title: 'FilterCondition',
    type: 'object',
    properties: {
      field: {
        type: 'string',
        minLength: 1,
        maxLength: 64,
        description: 'A field of the contacts',
        examples: ['plan'],
      },
      is: {
        type: 'string',
        enum: ['equal', 'notEqual', 'in', 'atLeast', 'atMost', 'empty', 'notEmpty'],
        description: 'How the field compares to the value',
      },
      value: {
        type: ['string', 'number', 'boolean', 'array'],
        maxLength: 256,
        items: { type: ['string', 'number', 'boolean'], maxLength: 256 },
        maxItems: 50,
        description: 'A list for in, nothing for empty and notEmpty',
      },
    },
    required: ['field', 'is'],
    examples: [{ is: 'in', value: ['gold', 'silver'] }],
  },
  maxItems: 5,
  description:
    'Only contacts that meet all conditions are called. Numbers are compared as numbers where both sides are numbers, otherwise text without case. notEqual also holds for a contact without the field',
} as const;

/** Conditions that a contact must meet to be called by a task. A contact meets an empty filter. */
export type ContactFilter = FromSchema<typeof contactFilter>;
type FilterCondition = ContactFilter[number];
type Scalar = string | number | boolean;

/** A number with a leading + is a phone number, and so a text. */
const number = /^\s*-?(\d+(\.\d*)?|\.\d+)\s*$/;
const wholeNumber = /^\s*-?\d+\s*$/;

const order = <T extends bigint | string>(one: T, other: T): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

/**
 * Exact for numbers of any length, such as customer and account numbers.
 * @returns below 0, 0 or above 0
 */
const compareNumbers = (one: string, other: string): number => {
  if (!wholeNumber.test(one) || !wholeNumber.test(other)) return Number(one) - Number(other);
  return order(BigInt(one), BigInt(other));
};

const compareTexts = (one: string, other: string): number => order(one.toLowerCase(), other.toLowerCase());

/** Compares as numbers if both are numbers, otherwise as text without case. */
const compare = (one: string, value: Scalar): number => {
  const other = String(value);
  return number.test(one) && number.test(other) ? compareNumbers(one, other) : compareTexts(one, other);
};

const fieldOf = ({ phoneNumber, fields }: Pick<Contact, 'phoneNumber' | 'fields'>, field: string) => {
  if (field === 'phoneNumber') return phoneNumber;
  return Object.hasOwn(fields, field) ? fields[field] : undefined;
};

const meets = ({ is, value }: FilterCondition, own: string | undefined): boolean => {
  const isEmpty = own === undefined || own.trim() === '';
  if (is === 'empty' || is === 'notEmpty') return isEmpty === (is === 'empty');
  if (own === undefined) return is === 'notEqual';
  if (is === 'in') return (value as Scalar[]).some((each) => compare(own, each) === 0);
  const difference = compare(own, value as Scalar);
  if (is === 'equal' || is === 'notEqual') return (difference === 0) === (is === 'equal');
  // An empty field is neither large nor small.
  return !isEmpty && (is === 'atLeast' ? difference >= 0 : difference <= 0);
};

/** Whether the contact meets every condition of the filter. */
export const isSelected = (
  filter: ContactFilter | undefined,
  contact: Pick<Contact, 'phoneNumber' | 'fields'>,
): boolean => (filter ?? []).every((condition) => meets(condition, fieldOf(contact, condition.field)));

const needsNoValue = (is: FilterCondition['is']) => is === 'empty' || is === 'notEmpty';

/** @throws ServiceError invalid */
export const assertFilter = (filter: ContactFilter = []): void => {
  for (const { field, is, value } of filter) {
    const fault = (message: string) => invalid('contactFilter', `${field.trim()}: ${message}`);
    if (field.trim() === '') throw invalid('contactFilter', 'each condition must name a field', 'REQUIRED');
    if (reservedFields.has(field.trim())) throw fault('is set by the service and cannot be compared');
    if (needsNoValue(is)) continue;
    if (value === undefined) throw fault(`"${is}" needs a value`);
    if ((is === 'in') !== Array.isArray(value))
      throw fault(is === 'in' ? '"in" needs a list of values' : `"${is}" needs a single value`);
    if (Array.isArray(value) && value.length === 0) throw fault('"in" needs at least one value');
  }
};

/** Trims names like those of contacts, and drops values without a meaning. */
export const tidyFilter = (filter: ContactFilter): ContactFilter =>
  filter.map(({ field, is, value }) => ({
    field: field.trim(),
    is,
    ...(value !== undefined && !needsNoValue(is) && { value }),
  }));
