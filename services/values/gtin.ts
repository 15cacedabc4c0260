// Manufacturers' item numbers: what UPC, EAN and ISBN look like.

const LOOKS = /^[0-9][0-9 -]{5,18}[0-9Xx]$/;

export const looksLikeGtin = (text: string): boolean => LOOKS.test(text);

/** What shopping channels and assistants are told of a text that a merchant keeps as one: nothing of any other. */
export const validGtin = (text: string | null): string | null => (text !== null && looksLikeGtin(text) ? text : null);
