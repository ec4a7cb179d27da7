import { instanceId } from './connect-stand-in.ts';

/**
 * A contact event with the fields that the administrator guide shows for a voice call that ended.
 */
export const contactEvent = (change: Record<string, unknown> = {}) => ({
  version: '0',
  id: 'abcabcab-abca-abca-abca-abcabcabcabc',
  'detail-type': 'Amazon Connect Contact Event' as const,
  source: 'aws.connect',
  account: '111122223333',
  time: '2026-05-04T10:00:45Z',
  region: 'us-east-1',
  resources: [`arn:aws:connect:us-east-1:111122223333:instance/${instanceId}`],
  detail: {
    eventType: 'DISCONNECTED',
    contactId: 'contact-1',
    initialContactId: 'contact-1',
    channel: 'VOICE',
    instanceArn: `arn:aws:connect:us-east-1:111122223333:instance/${instanceId}`,
    initiationMethod: 'API',
    initiationTimestamp: '2026-05-04T10:00:00.000Z',
    connectedToSystemTimestamp: '2026-05-04T10:00:02.000Z',
    disconnectTimestamp: '2026-05-04T10:00:44.000Z',
    agentInfo: { agentArn: 'arn', connectedToAgentTimestamp: '2026-05-04T10:00:09.000Z' },
    tags: { 'aws:connect:instanceId': instanceId, 'aws:connect:systemEndpoint': '+13125550100' },
    ...change,
  },
});
