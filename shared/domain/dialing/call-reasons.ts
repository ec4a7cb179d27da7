/** Why a call ended as it did, beside its outcome. */
export const callReasons = [
  'busy',
  'rejected',
  'noAnswer',
  'voicemail',
  'poweredOff',
  'outOfService',
  'unreachable',
  'invalidNumber',
  'networkError',
  'other',
] as const;
export type CallReason = (typeof callReasons)[number];
