import * as checks from '../../shared/app/generated/dataSourceDetail.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { dataSourceDetail as route } from '../../shared/contacts/routes/data-sources.ts';
import { dataSourceView } from '../../shared/contacts/rules/data-source.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';

export const dataSourceDetail = ({ dataSources, contacts, formatTime }: ContactRuntime) =>
  endpoint(route, checks, async ({ params }) => {
    const dataSource = await dataSources.find(params.id);
    return dataSourceView(dataSource, await contacts.summary(params.id), formatTime);
  });

export const handler = onLambda(route, openContacts, dataSourceDetail);
