import { expect, it } from 'vitest';
import { StackSettingError, settingsFrom } from '../../lib/settings.ts';

const from = (context: Record<string, string>) => settingsFrom((name) => context[name]);

it('is a disposable dev stage by default', () => {
  expect(from({})).toMatchObject({
    stage: 'dev',
    disposable: true,
    timeZone: 'UTC',
    gatewayLogRole: 'create',
  });
});

it('keeps the data of every stage that is not a dev stage', () => {
  expect(['dev', 'dev-anna', 'prod', 'staging', 'device'].map((stage) => from({ stage }).disposable)).toEqual(
    [true, true, false, false, false],
  );
});

it.each([
  [{ stage: 'Prod!' }, 'stage'],
  [{ timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ alarmEmail: 'nobody' }, 'alarmEmail'],
  [{ corsOrigin: 'https://a.example/path' }, 'corsOrigin'],
  [{ corsOrigin: "https://a.example'" }, 'corsOrigin'],
  [{ tokenIssuer: 'https://login.example.com' }, 'tokenAudiences'],
  [{ domainName: 'api.example.com' }, 'certificateArn'],
  [{ connectInstanceId: 'i', connectFlowId: 'f' }, 'connectSourceNumber'],
  [
    { connectInstanceId: 'i', connectFlowId: 'f', connectSourceNumber: '+1', connectNumberPrefix: '86' },
    'connectNumberPrefix',
  ],
  [{ requestsPerSecond: 'many' }, 'requestsPerSecond'],
])('refuses %j in one line naming the setting', (context, name) => {
  expect(() => from(context as Record<string, string>)).toThrow(StackSettingError);
  expect(() => from(context as Record<string, string>)).toThrow(`-c ${name}: `);
});
