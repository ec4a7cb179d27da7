import * as checks from '../../shared/api/generated/filePreview.js';
import { filePreview as route } from '../../shared/api/routes/contact-previews.ts';
import { maxFileBytes, readImportForm } from '../../shared/domain/imports/import-options.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { uploadedForm } from '../../shared/http/multipart.ts';
import { onLambda, type Runtime } from '../../shared/runtime/lambda.ts';
import { previewFile } from '../../shared/transfer/file-preview.ts';

export const filePreview = ({ phones }: Runtime) =>
  endpoint(route, checks, async (_request, event) => {
    const { file, fields } = await uploadedForm(event, 'file', maxFileBytes);
    return previewFile(file.bytes, readImportForm(fields), phones);
  });

export const handler = onLambda(route, filePreview);
