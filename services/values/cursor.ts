// Encodes list cursors: opaque texts that hold the sort keys of the last row and are valid for one list only.

export type CursorKey = string | number | boolean | null;

/** The required form of a key, which protects queries: a sequence, a time in ms, an id or a slug. */
export type CursorKind = keyof typeof IS;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const SLUG = /^[a-z0-9][a-z0-9-]{0,199}$/;
const MS_MAX = Date.UTC(10_000, 0);

const IS = {
  place: (key: CursorKey) => Number.isSafeInteger(key),
  time: (key: CursorKey) => Number.isSafeInteger(key) && (key as number) >= 0 && (key as number) < MS_MAX,
  id: (key: CursorKey) => typeof key === 'string' && UUID.test(key),
  slug: (key: CursorKey) => typeof key === 'string' && SLUG.test(key),
};

const CHECK_BYTES = 9;

// Returns a checksum without a secret: a forged cursor reaches nothing that the list would not show anyway.
const checkOf = (scope: string, keys: string): Buffer =>
  Bun.CryptoHasher.hash('sha256', `${scope}\0${keys}`).subarray(0, CHECK_BYTES);

/**
 * Encodes a cursor. `scope` names the list by tenant, name, filters and sort, so that `decodeCursor` rejects another
 * list's cursor.
 */
export const encodeCursor = (scope: string, keys: readonly CursorKey[]): string => {
  const text = JSON.stringify(keys);
  return Buffer.concat([checkOf(scope, text), Buffer.from(text)]).toString('base64url');
};

/**
 * Returns the cursor's keys; null for a cursor of another scope. Cursors can be forged, so each key must have the form
 * that `kinds` states.
 */
export const decodeCursor = (
  scope: string,
  cursor: string,
  kinds?: readonly CursorKind[],
): readonly CursorKey[] | null => {
  const bytes = Buffer.from(cursor, 'base64url');
  // Node's base64 decoder skips invalid characters, so only a text that encodes back to itself is accepted.
  if (bytes.length <= CHECK_BYTES || bytes.toString('base64url') !== cursor) return null;
  const text = bytes.toString('utf8', CHECK_BYTES);
  if (!checkOf(scope, text).equals(bytes.subarray(0, CHECK_BYTES))) return null;
  const keys = readKeys(text);
  if (keys === null || kinds === undefined) return keys;
  return keys.length === kinds.length && kinds.every((kind, at) => IS[kind](keys[at]!)) ? keys : null;
};

const readKeys = (text: string): readonly CursorKey[] | null => {
  try {
    const keys: unknown = JSON.parse(text);
    return Array.isArray(keys) ? keys : null;
  } catch {
    return null;
  }
};
