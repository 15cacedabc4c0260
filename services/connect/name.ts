// Validates the name that an app shows to merchants.

const LENGTH_MAX = 100;
/** Excludes line breaks and marks of text direction, which could change how the text around the name reads. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

export const INVALID_NAME =
  'A client’s name has 1 to 100 characters, without line breaks and marks of text direction. Choose another name.';

/** Returns null where the name is invalid. */
export const readClientName = (text: string): string | null => {
  const name = text.trim();
  return name === '' || name.length > LENGTH_MAX || MISLEADING.test(name) ? null : name;
};
