import { useQuery } from '@tanstack/preact-query';
import type { ComponentType, FunctionComponent } from 'preact';
import { askedOnce } from '../api/query-client.ts';

const retryMs = 3000;
let parts = 0;

/** A part of the page that is fetched when it is first shown; its place is kept meanwhile. */
export const lazy = <P extends object>(
  load: () => Promise<ComponentType<P>>,
  height = 0,
): FunctionComponent<P> => {
  const fetched = {
    queryKey: ['part', ++parts],
    queryFn: load,
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
