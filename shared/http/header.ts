/** `name` is in lower case; clients send header names in any case. */
export const headerOf = ({ headers }: { headers: Record<string, string | undefined> }, name: string) =>
  Object.entries(headers).find(([header]) => header.toLowerCase() === name)?.[1];
