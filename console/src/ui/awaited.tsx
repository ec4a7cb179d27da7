import { ServiceRefusal } from '../../../client/service-error.ts';
import { troubleWords } from '../api/errors.ts';
import { useWords } from '../i18n/i18n.ts';
import { Button } from './button.tsx';
import { Empty, Loading } from './empty.tsx';

export type Query = { data: unknown; error: unknown; isPending: boolean; refetch: () => unknown };

/** Stands where an answer will: its place while it is on its way, why it did not come, and a way to try again. */
export const Awaited = ({ query }: { query: Query }) => {
  const t = useWords();
  if (query.data !== undefined) return null;
  if (query.isPending) return <Loading />;
  const isGone = query.error instanceof ServiceRefusal && query.error.code === 404;
  return (
    <Empty icon={isGone ? 'search' : 'warning'} words={troubleWords(query.error, t)}>
      {!isGone && <Button onClick={() => void query.refetch()} label={t.common.retry} />}
    </Empty>
  );
};
