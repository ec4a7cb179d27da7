import { ServiceRefusal } from '../../../client/service-error.ts';
import { request } from './client.ts';

const nameIn = (response: Response): string =>
  /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'contacts';

/** A file of the service, saved under the name that the service gives it. @throws ServiceRefusal */
export const download = async (path: string): Promise<void> => {
  const response = await request(path);
  if (!response.ok) {
    const { message } = (await response.json()) as { message: string };
    throw new ServiceRefusal(response.status, message);
  }
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = address;
  link.download = nameIn(response);
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};
