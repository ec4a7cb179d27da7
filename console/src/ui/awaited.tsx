import { ServiceRefusal } from '../../../client/service-error.ts';
import { troubleWords } from '../api/errors.ts';
import { useWords } from '../i18n/i18n.ts';
import { Empty, Failed, Loading } from './empty.tsx';

type Query = { data: unknown; error: unknown; isPending: boolean; refetch: () => unknown };

/** Stands where an answer will: its place while it is on its way, why it did not come, and a way to try again. */
export const Awaited = ({ query, gone }: { query: Query; gone?: string }) => {
  const t = useWords();
  if (query.data !== undefined) return null;
  if (query.isPending) return <Loading />;
  const isGone = query.error instanceof ServiceRefusal && query.error.code === 404;
  if (gone !== undefined && isGone) return <Empty icon="search" words={gone} />;
  return <Failed words={troubleWords(query.error, t)} onRetry={() => void query.refetch()} />;
};
