import { useSearchParams } from 'wouter-preact';

export const pageSizes = [25, 50, 100] as const;

/** What a list shows stands in the address, so that a link shows the same and Back works. */
export const useAddress = () => {
  const [query, setQuery] = useSearchParams();
  const change = (
    values: Record<string, string | undefined>,
    how: { replace?: boolean; state?: string } = {},
  ) =>
    setQuery((before) => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(values)) {
        if (value === undefined || value === '') next.delete(name);
        else next.set(name, value);
      }
      return next;
    }, how);
  const page = Number(query.get('page') ?? 1);
  return {
    text: (name: string) => query.get(name) ?? '',
    page: Number.isInteger(page) && page > 0 ? page : 1,
    pageSize: pageSizes.find((size) => String(size) === query.get('size')) ?? pageSizes[0],
    toPage: (next: number, how = {}) => change({ page: next === 1 ? undefined : String(next) }, how),
    change,
  };
};

export type Address = ReturnType<typeof useAddress>;
