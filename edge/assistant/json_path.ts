// Fields of a request as the protocols name them: a JSONPath (RFC 9535) from its root.

/** Of a field such as `line_items[0].id`; a path that begins at the root already stays as it is. */
export const jsonPath = (field: string): string => {
  if (field.startsWith('$')) return field;
  return field.startsWith('[') ? `$${field}` : `$.${field}`;
};
