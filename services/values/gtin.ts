// Recognises product numbers such as UPC, EAN and ISBN.

const LOOKS = /^[0-9][0-9 -]{5,18}[0-9Xx]$/;

export const looksLikeGtin = (text: string): boolean => LOOKS.test(text);

/** Null for other texts, which merchants may have entered. */
export const validGtin = (text: string | null): string | null => (text !== null && looksLikeGtin(text) ? text : null);
