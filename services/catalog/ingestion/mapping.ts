// Maps fields of a document to Stoa's names, as the feed's owner configured.

export const MEMBER = /^(attributes|variant_attributes)\.(.+)$/s;

/** `attributes.colour` sets a member of `attributes`, any other name a field. */
export const assignField = (row: Record<string, unknown>, name: string, value: unknown): void => {
  const [, object, key] = MEMBER.exec(name) ?? [];
  if (object === undefined || key === undefined) {
    row[name] = value;
    return;
  }
  row[object] ??= {};
  // defineProperty also sets keys like `__proto__`. A value that is no object is left for validation.
  if (typeof row[object] === 'object')
    Object.defineProperty(row[object], key, { value, enumerable: true, writable: true, configurable: true });
};

/** `mapping` is Stoa's name to the document's. Missing fields are left out. */
export const mapped = (
  fields: Readonly<Record<string, unknown>>,
  mapping: Readonly<Record<string, string>>,
): Record<string, unknown> => {
  const row: Record<string, unknown> = { ...fields };
  for (const [ours, theirs] of Object.entries(mapping))
    if (Object.hasOwn(fields, theirs)) assignField(row, ours, fields[theirs]);
  return row;
};
