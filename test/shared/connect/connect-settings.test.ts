import { expect, it } from 'vitest';
import { adapterSettings } from '../../../shared/app/runtime/connect.ts';

it('there is no adapter unless instance, flow and number are all set', () => {
  const env = { CONNECT_INSTANCE_ID: 'i', CONNECT_FLOW_ID: 'f', CONNECT_SOURCE_NUMBER: '+1' };
  expect(adapterSettings({})).toBeUndefined();
  for (const name of Object.keys(env)) expect(adapterSettings({ ...env, [name]: '' })).toBeUndefined();
  expect(() => adapterSettings({ ...env, CONNECT_CONCURRENCY: '0' })).toThrow(/CONNECT_CONCURRENCY/);
  expect(adapterSettings(env)).toEqual({
    instanceId: 'i',
    flowId: 'f',
    sourceNumber: '+1',
    concurrency: 10,
    numberPrefix: '',
    machineDetection: false,
  });
  const detecting = adapterSettings({ ...env, CONNECT_MACHINE_DETECTION: 'on' });
  expect(detecting).toMatchObject({ machineDetection: true });
  expect(() => adapterSettings({ ...env, CONNECT_CONCURRENCY: 'many' })).toThrow(/CONNECT_CONCURRENCY/);
});
