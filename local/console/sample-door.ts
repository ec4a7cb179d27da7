import type { IncomingMessage } from 'node:http';
import { authenticate, responseOf, success, type VerifyToken } from '../../shared/platform/http/index.ts';
import { ServiceError } from '../../shared/platform/rules/index.ts';
import type { Sample, SampleState } from './sample.ts';

const scope = 'outbound/write';

/** Routes for the console of the local service. They are not in the route table and not on AWS. */
export const sampleDoor = (sample: Sample, verify: VerifyToken) => {
  const actions: Record<string, () => SampleState | Promise<SampleState>> = {
    'GET /local/sample': () => sample.state,
    'POST /local/sample/start': () => sample.start(),
    'POST /local/sample/stop': () => sample.stop(),
  };
  return async ({ method, headers }: IncomingMessage, pathname: string, requestId: string) => {
    const action = actions[`${method} ${pathname}`];
    if (action === undefined) return undefined;
    const { scopes } = await authenticate(headers.authorization, verify);
    if (!scopes.includes(scope)) {
      throw new ServiceError('FORBIDDEN', `the access token lacks the scope ${scope}`);
    }
    return responseOf(success(await action()), requestId);
  };
};

export type SampleDoor = ReturnType<typeof sampleDoor>;
