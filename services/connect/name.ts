// What an app may call itself where a merchant decides about it.

const LENGTH_MAX = 100;
/** What breaks a line, or has the words around it read the other way round. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const WRONG_NAME =
  'A client’s name has 1 to 100 characters, none of which breaks the line or turns the direction of writing.';

/** Null where it is none. */
export const readClientName = (text: string): string | null => {
  const name = text.trim();
  return name === '' || name.length > LENGTH_MAX || MISLEADING.test(name) ? null : name;
};
