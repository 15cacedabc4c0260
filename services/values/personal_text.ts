// Takes text of and about persons out of JSON values whose fields may be anything. Pure.
import { HIDDEN } from './secret.ts';

const PERSONAL_NAME =
  /mail|phone|address|name$|^title$|subject|body|message|note|comment|description|detail|metadata|latitude|longitude/;

export const isPersonalName = (name: string): boolean => PERSONAL_NAME.test(name);

/** Fields whose texts are words of the contract. */
const WORD_NAME = /^(?:\w+_)?(?:status|type|kind|currency|environment|channel|resolution|reason_code|protocol)$/;
const ID_OR_TIME =
  /^(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|evt_\d+_[0-9a-f]+|\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:\.\d+)?Z)?)$/i;

/**
 * Returns the value with its shape, its ids, times and amounts, and without every other text. Maps of metadata become empty,
 * since their names are texts, too.
 */
export const withoutTexts = (value: unknown, name = '', personal = false): unknown => {
  if (typeof value === 'string') return ID_OR_TIME.test(value) || (!personal && WORD_NAME.test(name)) ? value : HIDDEN;
  if (typeof value === 'number') return personal ? null : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => withoutTexts(item, name, personal));
  if (name === 'metadata') return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'country' ? inner : withoutTexts(inner, key, personal || isPersonalName(key)),
    ]),
  );
};
