import { language } from '../i18n/i18n.ts';
import { dataIn, request } from './client.ts';

/** The name for people, in any script, comes as `filename*`. */
const nameIn = (response: Response): string => {
  const header = response.headers.get('content-disposition') ?? '';
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  return /filename="([^"]+)"/.exec(header)?.[1] ?? 'contacts';
};

/** An export in the reader's language and time zone. */
export const exportPath = (path: string, query: Record<string, string>): string => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return `${path}?${new URLSearchParams({ ...query, labels: language.get(), timeZone })}`;
};

/** Saves a file on the reader's device. */
export const saveFile = (content: Blob, name: string): void => {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

/** A file of the service, saved under the name that the service gives it. @throws ServiceRefusal, NoAnswer */
export const download = async (path: string): Promise<void> => {
  const response = await request(path);
  if (!response.ok) await dataIn(response);
  saveFile(await response.blob(), nameIn(response));
};
