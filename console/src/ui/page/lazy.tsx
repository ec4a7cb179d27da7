import { useQuery } from '@tanstack/preact-query';
import type { ComponentType, FunctionComponent } from 'preact';
import { askedOnce } from '../../api/query-client.ts';

const retryMs = 3000;
let parts = 0;

/** A part of the page whose module is fetched when it is first shown; its room is kept meanwhile. */
export const lazy = <Name extends string, P extends object>(
  load: () => Promise<Record<Name, ComponentType<P>>>,
  name: Name,
  height = 0,
): FunctionComponent<P> => {
  const fetched = {
    queryKey: ['part', ++parts],
    queryFn: async (): Promise<ComponentType<P>> => (await load())[name],
    ...askedOnce,
    retry: true,
    retryDelay: retryMs,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  };
  return (props: P) => {
    const { data: Part } = useQuery(fetched);
    return Part === undefined ? <div style={{ minHeight: `${height}px` }} /> : <Part {...props} />;
  };
};
