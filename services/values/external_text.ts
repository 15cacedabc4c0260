// Sanitises a text from another system.

/**
 * Returns at most `lengthMax` characters; empty for other types. Removes NUL and lone surrogates, which databases
 * reject and truncation may cause.
 */
export const externalText = (value: unknown, lengthMax: number): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, lengthMax).toWellFormed() : '';
