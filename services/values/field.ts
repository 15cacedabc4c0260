// Parses a `fields` parameter and reduces a value to the named fields.

/** Maps a field's name to `true` for the whole field, or to a map of the wanted fields within it. */
export type WantedFields = Map<string, true | WantedFields>;

/** Parses a text such as `id,name,variants.sku`. Unknown names are accepted. */
export const wantedFields = (text: string): WantedFields => {
  const wanted: WantedFields = new Map();
  for (const name of text.split(',')) {
    const parts = name.trim().split('.');
    let into = wanted;
    for (const [at, part] of parts.entries()) {
      const present = into.get(part);
      if (present === true) break;
      if (at === parts.length - 1) into.set(part, true);
      else {
        const nested: WantedFields = present ?? new Map();
        into.set(part, nested);
        into = nested;
      }
    }
  }
  return wanted;
};

export const pickFields = (value: unknown, wanted: WantedFields): unknown => {
  if (Array.isArray(value)) return value.map((item) => pickFields(item, wanted));
  if (value === null || typeof value !== 'object') return value;
  const picked: [string, unknown][] = [];
  for (const [name, field] of Object.entries(value)) {
    const want = wanted.get(name);
    if (want === true) picked.push([name, field]);
    else if (want) picked.push([name, pickFields(field, want)]);
  }
  return Object.fromEntries(picked);
};
