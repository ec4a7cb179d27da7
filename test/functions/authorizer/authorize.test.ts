import { afterEach, expect, it, vi } from 'vitest';
import { authorizeRequest } from '../../../functions/authorizer/authorize.ts';
import type { VerifyToken } from '../../../shared/platform/http/index.ts';
import { log } from '../../../shared/platform/observability/index.ts';
import { ServiceError } from '../../../shared/platform/rules/index.ts';

afterEach(() => void vi.restoreAllMocks());

const ask = (verify: VerifyToken) =>
  authorizeRequest(verify)({
    ...{ type: 'TOKEN', authorizationToken: 'Bearer x' },
    methodArn: 'arn:aws:execute-api:eu-west-1:1:api/prod/GET/api/task/list',
  });

it('a token that is refused is a 401, and an error of the service is told and not blamed on it', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  const refused = new ServiceError('UNAUTHENTICATED', 'expired');
  await expect(ask(() => Promise.reject(refused))).rejects.toThrow(/^Unauthorized$/);
  expect(logged).not.toHaveBeenCalled();
  await expect(ask(() => Promise.reject(new TypeError('a bug')))).rejects.toThrow('a bug');
  expect(logged).toHaveBeenCalledTimes(1);
});

it('tells what a token may call, who calls, and that a token without an end has none', async () => {
  const policy = await ask(async () => ({ clientId: 'c', name: 'ann', scopes: ['outbound/read'] }));
  expect(policy).toMatchObject({
    principalId: 'c',
    context: { caller: 'ann', scope: 'outbound/read', expires: 0 },
  });
  const { Resource } = policy.policyDocument.Statement[0] as { Resource: string[] };
  const stage = 'arn:aws:execute-api:eu-west-1:1:api/prod';
  expect(Resource).toEqual(
    expect.arrayContaining([`${stage}/GET/api/task/list`, `${stage}/GET/api/task/*/stat`]),
  );
  expect(Resource).not.toContain(`${stage}/POST/api/task/add`);
});
