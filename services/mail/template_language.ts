// Chooses the language of a mail: one that the store wrote its template in, or a built-in one. Pure.
import type { MailTemplateTranslation } from '#proto/gen/mail_template.ts';
import { nearestLanguage } from '#values/language.ts';
import type { Translations } from '#values/translation.ts';
import type { TemplateRecord } from './table/template.ts';
import type { TemplateSource } from './template/built_in.ts';
import { builtInLanguage, DEFAULT_LANGUAGE } from './template/phrase.ts';
import { TEMPLATE_PARTS } from './template/template.ts';

/** The language of records that are no translation. */
export const OWN = '';

const partsOf = (record: TemplateRecord): Partial<TemplateSource> =>
  Object.fromEntries(TEMPLATE_PARTS.flatMap((part) => (record[part] === null ? [] : [[part, record[part]]])));

/** `own` is the store's default language. */
const recordIn = (records: readonly TemplateRecord[], language: string, own: string): TemplateRecord | undefined => {
  const stored =
    language === own
      ? OWN
      : nearestLanguage(
          language,
          records.map((record) => record.language).filter((tag) => tag !== OWN),
        );
  return records.find((record) => record.language === stored);
};

/** Returns the parts that the store wrote in the language; none if it wrote none. */
export const ownParts = (
  records: readonly TemplateRecord[],
  language: string,
  own: string,
): Partial<TemplateSource> => {
  const record = recordIn(records, language, own);
  return record ? partsOf(record) : {};
};

/**
 * Returns the language of a mail whose reader wants `wanted`. All parts of a mail are in one language: a store that wrote
 * its own text in its default language alone sends that, rather than the built-in text in the reader's.
 */
export const templateLanguage = (records: readonly TemplateRecord[], wanted: string, own: string): string => {
  if (recordIn(records, wanted, own)) return wanted;
  if (wanted !== own && recordIn(records, own, own)) return own;
  return [wanted, own].find((tag) => builtInLanguage(tag) !== null) ?? DEFAULT_LANGUAGE;
};

/** Returns what the store wrote in other languages; null if nothing. */
export const translationsOf = (records: readonly TemplateRecord[]): Translations<MailTemplateTranslation> | null => {
  const translations = records.filter(({ language }) => language !== OWN);
  return translations.length === 0
    ? null
    : Object.fromEntries(translations.map((record) => [record.language, partsOf(record)]));
};
