/** The groups, in the order of their first items; within a group the items keep their order. */
export const groupedBy = <T>(items: readonly T[], groupOf: (item: T) => number): T[][] => {
  const groups = new Map<number, T[]>();
  for (const item of items) {
    const group = groupOf(item);
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [item]);
    else members.push(item);
  }
  return [...groups.values()];
};
