import * as checks from '../../shared/app/generated/addDataSource.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { addDataSource as route } from '../../shared/contacts/routes/data-sources.ts';
import { createDataSource, dataSourceView } from '../../shared/contacts/rules/data-source.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const addDataSource = ({ dataSources, newId, now, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ body, requestKey }) => {
    const dataSource = await dataSources.add(createDataSource(body, newId(), now()), requestKey);
    const { updateTime, ...added } = dataSourceView(
      dataSource,
      { contactCount: 0, changeTime: null },
      formatTime,
    );
    return added;
  });

export const handler = onLambda(route, openContacts, addDataSource);
