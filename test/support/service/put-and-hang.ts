import { openEmbeddedS3 } from '../../../local/s3/embedded-s3.ts';
import { Objects } from '../../../shared/store/objects/objects.ts';
import { s3Client } from '../../../shared/store/objects/s3-client.ts';

/** Run as a process of its own to be killed: puts an object whose event handler never ends. */
const [path = '', bucket = '', key = ''] = process.argv.slice(2);
const credentials = { accessKeyId: 'AKIALOCAL', secretAccessKey: 'local-secret' };
const { requestHandler } = await openEmbeddedS3({
  path,
  bucket,
  credentials,
  onObjectCreated: () => new Promise(() => {}),
});
const client = s3Client({ region: 'us-east-1', endpoint: 'http://localhost', credentials, requestHandler });
await new Objects(client, bucket).put(key, 'acknowledged', 'text/plain');
process.stdout.write('acknowledged\n');
setInterval(() => {}, 1000);
