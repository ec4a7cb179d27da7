import { ServiceError } from '../domain/errors.ts';
import type { LazyObjects } from '../store/objects/index.ts';

export const putJson = async (objects: LazyObjects, key: string, value: unknown): Promise<void> =>
  (await objects()).put(key, JSON.stringify(value), 'application/json');

/** `undefined` if the object does not exist, for example since it has expired. */
export const getJson = async <T>(objects: LazyObjects, key: string): Promise<T | undefined> => {
  try {
    const bytes = await (await objects()).get(key, Number.POSITIVE_INFINITY);
    return JSON.parse(Buffer.from(bytes).toString()) as T;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'notFound') return undefined;
    throw error;
  }
};
