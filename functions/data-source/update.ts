import * as checks from '../../shared/app/generated/updateDataSource.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { updateDataSource as route } from '../../shared/contacts/routes/data-sources.ts';
import {
  changeDataSource,
  type DataSource,
  dataSourceView,
} from '../../shared/contacts/rules/data-source.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const updateDataSource = ({ dataSources, contacts, now, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const updatedAt = now();
    const changed = (current: DataSource) => changeDataSource(current, body, updatedAt);
    const dataSource = await dataSources.change(body.id, changed, requestKey);
    const { createTime, ...updated } = dataSourceView(
      dataSource,
      await contacts.summary(body.id),
      formatTime,
    );
    return { ...updated, updateTime: updated.updateTime ?? formatTime(updatedAt) };
  });

export const handler = onLambda(route, openContacts, updateDataSource);
