import * as checks from '../../shared/api/generated/addDataSource.js';
import { addDataSource as route } from '../../shared/api/routes/data-sources.ts';
import { createDataSource, dataSourceView } from '../../shared/domain/contacts/data-source.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const addDataSource = ({ dataSources, newId, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const dataSource = await dataSources.add(createDataSource(body, newId(), now()), requestKey);
    const { updateTime, ...added } = dataSourceView(
      dataSource,
      { contactCount: 0, changeTime: null },
      formatTime,
    );
    return added;
  });

export const handler = onLambda(route, addDataSource);
