// Classes of characters for tokenisation.

export const SEPARATOR = 0;
export const LETTER = 1;
export const DIGIT = 2;
export const UNSPACED = 3;
/**
 * Class of characters that join the letters or digits on both sides to one word: `usb-c`, `plug/rca`, `15.6`,
 * `women's`.
 */
export const JOINER = 4;
const UNKNOWN = 255;

const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\u30fc]/u;
const ALPHABETIC = /[\p{L}\p{M}]/u;
const NUMERIC = /\p{N}/u;
const JOINERS = "-.,_+'/";

const kinds = new Uint8Array(1 << 16).fill(UNKNOWN);

const look = (code: number): number => {
  const character = String.fromCharCode(code);
  if (UNSPACED_SCRIPT.test(character)) return UNSPACED;
  if (ALPHABETIC.test(character)) return LETTER;
  if (NUMERIC.test(character)) return DIGIT;
  return JOINERS.includes(character) ? JOINER : SEPARATOR;
};

/** Classifies a UTF-16 code unit of a folded text. Surrogates count as separators. */
export const kindOf = (code: number): number => {
  const kind = kinds[code]!;
  if (kind !== UNKNOWN) return kind;
  kinds[code] = look(code);
  return kinds[code]!;
};

const EMOJI_FIRST = 0x2190;
const EMOJI = /\p{Extended_Pictographic}|[\u{1f1e6}-\u{1f1ff}]{2}/uy;

/** Returns the emoji at a position, or an empty text. Modifiers such as skin tones are not part of it. */
export const emojiAt = (text: string, at: number): string => {
  if (text.charCodeAt(at) < EMOJI_FIRST) return '';
  EMOJI.lastIndex = at;
  return EMOJI.exec(text)?.[0] ?? '';
};
