import * as checks from '../../shared/api/generated/importAttention.js';
import { importAttention as route } from '../../shared/api/routes/contact-files.ts';
import { troubleView } from '../../shared/domain/imports/import-trouble.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';

export const importAttention = ({ troubledImports, now, formatTime }: Runtime) =>
  endpoint(route, checks, async () => {
    const found = await troubledImports.find(now());
    return { rows: found.map((each) => troubleView(each, formatTime)) };
  });

export const handler = onLambda(route, importAttention);
