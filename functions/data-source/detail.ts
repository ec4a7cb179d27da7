import * as checks from '../../shared/api/generated/dataSourceDetail.js';
import { dataSourceDetail as route } from '../../shared/api/routes/data-sources.ts';
import { dataSourceView } from '../../shared/domain/contacts/data-source.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const dataSourceDetail = ({ dataSources, contacts, formatTime }: Runtime) =>
  endpoint(route, checks, async ({ params }) => {
    const dataSource = await dataSources.find(params.id);
    return dataSourceView(dataSource, await contacts.summary(params.id), formatTime);
  });

export const handler = onLambda(route, dataSourceDetail);
