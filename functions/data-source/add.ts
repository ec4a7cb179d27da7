import * as checks from '../../shared/api/generated/index.js';
import * as routes from '../../shared/api/routes/index.ts';
import { createDataSource, dataSourceView } from '../../shared/domain/contacts/data-source.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const addDataSource = ({ dataSources, newId, now, formatTime }: Runtime) =>
  endpoint(routes.addDataSource, checks.addDataSource, async ({ body, requestKey }) => {
    const dataSource = await dataSources.add(createDataSource(body, newId(), now()), requestKey);
    const { updateTime, ...added } = dataSourceView(
      dataSource,
      { contactCount: 0, changeTime: null },
      formatTime,
    );
    return added;
  });

export const handler = onLambda(routes.addDataSource, addDataSource);
