// Formats a field as JSONPath (RFC 9535).

/** Prefixes a field such as `line_items[0].id` with `$`. Paths that start with `$` stay as they are. */
export const jsonPath = (field: string): string => {
  if (field.startsWith('$')) return field;
  return field.startsWith('[') ? `$${field}` : `$.${field}`;
};
