import * as checks from '../../shared/app/generated/importPreview.js';
import { type ContactRuntime, openContacts } from '../../shared/app/runtime/contacts.ts';
import { onLambda } from '../../shared/app/runtime/lambda.ts';
import { previewFile } from '../../shared/imports/file-preview.ts';
import { importPreview as route } from '../../shared/imports/routes/contact-previews.ts';
import { readImportForm } from '../../shared/imports/rules/import-options.ts';
import { endpoint } from '../../shared/platform/http/endpoint.ts';
import { uploadedForm } from '../../shared/platform/http/multipart.ts';
import { maxFileBytes } from '../../shared/platform/rules/files.ts';

export const importPreview = ({ dataSources, phones }: ContactRuntime) =>
  endpoint(route, checks, async ({ params: { id } }, event) => {
    await dataSources.find(id);
    const { file, fields } = await uploadedForm(event, route, maxFileBytes);
    return previewFile(file.bytes, readImportForm(fields), phones);
  });

export const handler = onLambda(route, openContacts, importPreview);
