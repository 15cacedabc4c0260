// Puts fields of a document under our names, as the feed's owner mapped them.

/** Names that make members of an object. */
export const MEMBER = /^(attributes|variant_attributes)\.(.+)$/s;

/** Where a value goes in a row: `attributes.colour` is a member of that object, any other name a field. */
export const place = (row: Record<string, unknown>, name: string, value: unknown): void => {
  const [, object, key] = MEMBER.exec(name) ?? [];
  if (object === undefined || key === undefined) {
    row[name] = value;
    return;
  }
  row[object] ??= {};
  // A plain assignment would lose a key like `__proto__`. What is no object is left for the rules to refuse.
  if (typeof row[object] === 'object')
    Object.defineProperty(row[object], key, { value, enumerable: true, writable: true, configurable: true });
};

/** The fields with those that `mapping` names added: our name to the document's. What the document lacks stays out. */
export const mapped = (
  fields: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>>,
): Record<string, unknown> => {
  const row: Record<string, unknown> = { ...fields };
  for (const [ours, theirs] of Object.entries(mapping))
    if (Object.hasOwn(fields, theirs)) place(row, ours, fields[theirs]);
  return row;
};
