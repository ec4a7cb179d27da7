import type { FromSchema } from 'json-schema-to-ts';
import { invalid } from '../errors.ts';
import { text } from '../patterns.ts';

/** What a dialer may report about a call beside its result: the format of each detail. */
export const callDetails = {
  disposition: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    description: 'The business result. If the task declares dispositions, it must be one of their codes',
  },
  data: {
    title: 'CallData',
    type: 'object',
    maxProperties: 30,
    propertyNames: { minLength: 1, maxLength: 64 },
    additionalProperties: { type: ['string', 'number', 'boolean'] },
    description: 'What the dialer learned in the call, by name. At most 4 KB as JSON',
  },
  summary: { ...text, description: 'The call in a few sentences' },
  recordingUrl: {
    type: 'string',
    maxLength: 1000,
    description: 'The https address of the recording. The service never fetches it',
  },
  transcriptUrl: {
    type: 'string',
    maxLength: 1000,
    description: 'The https address of the transcript. The service never fetches it',
  },
  providerCallId: {
    type: 'string',
    maxLength: 128,
    description: "The id of the call at the dialer's provider",
  },
} as const;

export type DetailName = keyof typeof callDetails;
export const detailNames = Object.keys(callDetails) as DetailName[];

type Sent = FromSchema<{
  readonly type: 'object';
  readonly properties: typeof callDetails;
  readonly additionalProperties: false;
}>;
export type CallData = NonNullable<Sent['data']>;
/** The details of a call; `null`: not reported. */
export type CallDetails = { [Name in DetailName]: NonNullable<Sent[Name]> | null };
/** Absent: not named. `null`: removed. */
export type SentDetails = { [Name in DetailName]?: CallDetails[Name] | undefined };

/** UTF-8 bytes of the JSON. */
const dataLimit = 4096;

const assertAddress = (name: 'recordingUrl' | 'transcriptUrl', address: string): void => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'https:' || !/^https:\/\//i.test(address))
    throw invalid(name, 'must be an address that begins with https://', 'BAD_FORMAT');
};

/** What the schemas cannot say. @throws ServiceError invalid */
export const assertDetails = ({ data, recordingUrl, transcriptUrl }: SentDetails): void => {
  if (recordingUrl != null) assertAddress('recordingUrl', recordingUrl);
  if (transcriptUrl != null) assertAddress('transcriptUrl', transcriptUrl);
  if (data == null) return;
  const { length } = new TextEncoder().encode(JSON.stringify(data));
  if (length > dataLimit)
    throw invalid('data', `has ${length} bytes as JSON; at most ${dataLimit} are allowed`, 'TOO_LARGE');
};

/** The details that were sent, the others `null`. */
export const detailsOf = (sent: SentDetails): CallDetails =>
  Object.fromEntries(detailNames.map((name) => [name, sent[name] ?? null])) as CallDetails;
