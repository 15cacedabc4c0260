// JSON in the one form that all of its equals have: names in their order, numbers as they are read. Null and nothing differ.
const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => [name, ordered(each)]),
  );
};

export const canonicalJson = (value: unknown): string => JSON.stringify(ordered(value));
