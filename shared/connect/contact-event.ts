import { connectTime, type EndedContact } from './contact-outcome.ts';

/** The `detail` of an "Amazon Connect Contact Event"; AWS documents it in two spellings. */
export type ContactEventDetail = Readonly<Record<string, unknown>>;

export type EndOfCall = EndedContact & { contactId: string };

/**
 * The end of a call that was started through the API; `undefined` for every other event. Only the first contact
 * of a call counts: a transfer adds contacts that are not our calls.
 */
export const endOfCall = (detail: ContactEventDetail): EndOfCall | undefined => {
  const text = (name: string): string | undefined => {
    const value = detail[name] ?? detail[name[0]?.toUpperCase() + name.slice(1)];
    return typeof value === 'string' ? value : undefined;
  };
  const contactId = text('contactId');
  if (contactId === undefined || text('eventType') !== 'DISCONNECTED') return undefined;
  if (text('channel')?.toUpperCase() !== 'VOICE' || text('initiationMethod') !== 'API') return undefined;
  return {
    contactId,
    connected: connectTime(text('connectedToSystemTimestamp')),
    disconnected: connectTime(text('disconnectTimestamp')),
    reason: text('disconnectReason'),
  };
};
