// Writes JSON in one canonical form: sorted names, numbers as parsed. Null and absent differ.
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
