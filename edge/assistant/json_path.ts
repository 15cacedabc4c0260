// Formats a field's name as JSONPath (RFC 9535).

export const jsonPath = (field: string): string => {
  if (field.startsWith('$')) return field;
  return field.startsWith('[') ? `$${field}` : `$.${field}`;
};
