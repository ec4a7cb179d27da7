import { useSearchParams } from 'wouter-preact';

/** What a list shows stands in the address, so that a link shows the same and Back works. */
export const useAddress = () => {
  const [query, setQuery] = useSearchParams();
  const change = (values: Record<string, string | undefined>, { replace = false } = {}) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(values)) {
          if (value === undefined || value === '') next.delete(name);
          else next.set(name, value);
        }
        return next;
      },
      { replace },
    );
  const page = Number(query.get('page') ?? 1);
  return {
    text: (name: string) => query.get(name) ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    toPage: (next: number) => change({ page: next === 1 ? undefined : String(next) }),
    change,
  };
};
