import * as checks from '../../shared/api/generated/updateDataSource.js';
import { updateDataSource as route } from '../../shared/api/routes/data-sources.ts';
import {
  changeDataSource,
  type DataSource,
  dataSourceView,
} from '../../shared/domain/contacts/data-source.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const updateDataSource = ({ dataSources, contacts, now, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const changed = (current: DataSource) => changeDataSource(current, body, now());
    const dataSource = await dataSources.change(body.id, changed, requestKey);
    const { createTime, ...updated } = dataSourceView(
      dataSource,
      await contacts.summary(body.id),
      formatTime,
    );
    return updated;
  });

export const handler = onLambda(route, updateDataSource);
