// What another system calls something, as it is kept here.

/**
 * Up to `lengthMax` of what is a text, else nothing. A database takes neither NUL nor half a surrogate pair, which another
 * system may send, or a cut leave.
 */
export const externalText = (value: unknown, lengthMax: number): string =>
  typeof value === 'string' ? value.replaceAll('\0', '').slice(0, lengthMax).toWellFormed() : '';
