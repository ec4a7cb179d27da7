import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes.ts';
import { ServiceError } from '../../shared/domain/errors.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda } from '../../shared/runtime.ts';

export const failTask = () =>
  endpoint(routes.failTask, checks.failTask, async () => {
    throw new ServiceError('notImplemented', 'not available yet');
  });

export const handler = onLambda(failTask);
