// Language tags of BCP 47 (language, script and region), and the choice of a language for a reader.

const TAG = /^([a-z]{2,3})(?:-([a-z]{4}))?(?:-([a-z]{2}|\d{3}))?$/i;

/** Returns the canonical spelling, such as `pt-BR`; null if the text is no tag of language, script and region. */
export const parseLanguage = (text: string): string | null => {
  const [, language, script = '', region = ''] = TAG.exec(text) ?? [];
  if (language === undefined) return null;
  const titled = script.charAt(0).toUpperCase() + script.slice(1).toLowerCase();
  return [language.toLowerCase(), titled, region.toUpperCase()].filter((part) => part !== '').join('-');
};

/** Returns the canonical spelling of a tag that a validator has accepted; null if there is none. */
export const tagOrNull = (text: string | null | undefined): string | null =>
  text == null ? null : parseLanguage(text);

export const primaryLanguage = (tag: string): string => tag.split('-', 1)[0]!.toLowerCase();

/**
 * Returns the language that is nearest to a tag: the same, else the longest that begins it (`de` for `de-AT`), else the
 * first of the same primary language (`pt-BR` for `pt`).
 */
export const nearestLanguage = (tag: string, languages: readonly string[]): string | null => {
  const lower = tag.toLowerCase();
  for (let wanted = lower; wanted !== ''; wanted = wanted.slice(0, Math.max(0, wanted.lastIndexOf('-')))) {
    const same = languages.find((language) => language.toLowerCase() === wanted);
    if (same !== undefined) return same;
  }
  const primary = primaryLanguage(lower);
  return languages.find((language) => primaryLanguage(language) === primary) ?? null;
};

/**
 * Returns the language nearest to a requested one, or undefined for the default language. `languages` has the default one
 * first.
 */
export const otherLanguage = (named: string | undefined, languages: readonly string[] = []): string | undefined => {
  const nearest = named === undefined ? null : nearestLanguage(named, languages);
  return nearest === null || nearest === languages[0] ? undefined : nearest;
};

/** Bounds of a header from a stranger; browsers send about ten ranges. */
const HEADER_LENGTH_MAX = 1_000;
const RANGE = /^\s*([a-z0-9-]{1,35}|\*)\s*(?:;\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*)?$/i;

/**
 * Returns the language of `languages` that an `Accept-Language` header prefers; the first one if the header names none
 * of them. Ignores malformed ranges and what follows the first 1,000 characters.
 */
export const acceptedLanguage = (header: string | null, languages: readonly string[]): string => {
  const [first = ''] = languages;
  if (header === null || languages.length < 2) return first;
  const ranges = header
    .slice(0, HEADER_LENGTH_MAX)
    .split(',')
    .flatMap((part) => {
      const [, range, quality = '1'] = RANGE.exec(part) ?? [];
      return range === undefined ? [] : { range, quality: Number(quality) };
    });
  const unwanted = new Set(ranges.filter(({ quality }) => quality === 0).map(({ range }) => range.toLowerCase()));
  const offered = languages.filter((language) => !unwanted.has(language.toLowerCase()));
  for (const { range } of ranges.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)) {
    const chosen = range === '*' ? offered[0] : nearestLanguage(range, offered);
    if (chosen) return chosen;
  }
  return first;
};
