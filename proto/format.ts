// Text formats that proto files name, and the TypeBox kind of all bounded texts.
import { FormatRegistry, Kind, type TSchema, TypeRegistry } from '@sinclair/typebox';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/**
 * Letters of any language, with their marks composed or apart, before the @; labels without leading or trailing hyphen
 * and at least one dot behind it.
 */
const EMAIL =
  /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])$/u;
const EMAIL_LENGTH_MAX = 254;
const MAILBOX_LENGTH_MAX = 64;
const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(?:[Zz]|[+-](\d{2}):(\d{2}))$/;
/** White space, control characters and what no URL holds unescaped; URL parsers drop or repair these silently. */
const NOT_IN_URL = /[\s\x00-\x20\x7f<>"\\^`{|}]/;

/** Line breaks and control characters, which no name, number or line of an address has. */
const BREAKS_LINE = /[\p{Cc}\u2028\u2029]/u;

export const isUuid = (text: string): boolean => UUID.test(text);

export const isEmail = (text: string): boolean =>
  text.length <= EMAIL_LENGTH_MAX && text.indexOf('@') <= MAILBOX_LENGTH_MAX && EMAIL.test(text);

export const isDate = (text: string): boolean => {
  const [, year, month, day] = DATE.exec(text)?.map(Number) ?? [];
  if (!year || month! < 1 || month! > 12) return false;
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day! >= 1 && day! <= [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month! - 1]!;
};

/** Databases and Date agree on what lies between; a year may not be left by way of the offset either. */
const TIME_MIN_MS = Date.UTC(1000, 0);
const TIME_MAX_MS = Date.UTC(10_000, 0);

/** RFC 3339 with an offset, no leap second, in the years 1000 to 9999 of UTC. */
export const isDateTime = (text: string): boolean => {
  const [, date, hour, minute, second, offsetHour = '0', offsetMinute = '0'] = DATE_TIME.exec(text) ?? [];
  if (date === undefined || !isDate(date)) return false;
  if (+hour! > 23 || +minute! > 59 || +second! > 59 || +offsetHour > 23 || +offsetMinute > 59) return false;
  const ms = Date.parse(text.toUpperCase());
  return ms >= TIME_MIN_MS && ms < TIME_MAX_MS;
};

/** Three letters of any case; which currencies exist is not a matter of shape. */
const isCurrency = (text: string): boolean => /^[A-Za-z]{3}$/.test(text);

const isUri = (text: string): boolean => !NOT_IN_URL.test(text) && URL.canParse(text);

/** An absolute http or https URL that spells its slashes, names a host and carries no user information. */
const isHttpUrl = (text: string): boolean => {
  if (!/^https?:\/\/[^/?#]/i.test(text) || !isUri(text)) return false;
  const { hostname, username, password } = new URL(text);
  return hostname !== '' && username === '' && password === '';
};

/** Each format with the words that a refusal says after "must be". */
export const FORMATS: Readonly<Record<string, { readonly is: (text: string) => boolean; readonly name: string }>> = {
  uuid: { is: isUuid, name: 'a UUID' },
  email: { is: isEmail, name: 'an e-mail address' },
  uri: { is: isUri, name: 'a URI' },
  'date-time': { is: isDateTime, name: 'an ISO 8601 date and time with an offset, such as 2026-01-31T09:30:00Z' },
  date: { is: isDate, name: 'a date such as 2026-01-31' },
  currency: { is: isCurrency, name: 'a currency code of three letters' },
  words: { is: (text) => /\S/.test(text), name: 'more than blanks' },
  line: { is: (text) => !BREAKS_LINE.test(text), name: 'one line without control characters' },
  'http-url': { is: isHttpUrl, name: 'an http or https URL' },
  'media-url': {
    is: (text) => isUuid(text) || isHttpUrl(text),
    name: 'an http or https URL, or the id of an uploaded file',
  },
};

export interface TextBounds {
  /** Unicode code points, as the proto's rules count, not UTF-16 units. */
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
}

/** A text with bounds. TypeBox's own string counts UTF-16 units and reads patterns without the `u` flag. */
export const Text = (bounds: TextBounds): TSchema =>
  ({ [Kind]: 'Text', type: 'string', ...bounds }) as unknown as TSchema;

const patterns = new Map<string, RegExp>();

const patternOf = (source: string): RegExp => {
  const pattern = patterns.get(source) ?? new RegExp(source, 'u');
  patterns.set(source, pattern);
  return pattern;
};

/** Code points of a text; a surrogate without its partner counts as one. */
const lengthOf = (text: string): number => {
  let length = 0;
  for (const _ of text) length += 1;
  return length;
};

/** Why a text does not keep its bounds, as the words that follow "must"; null where it does. */
export const misfit = (bounds: TextBounds, text: string): string | null => {
  const { minLength, maxLength, pattern, format } = bounds;
  if (maxLength !== undefined && text.length > maxLength && lengthOf(text) > maxLength) {
    return `be at most ${maxLength} characters`;
  }
  if (minLength !== undefined && text.length < 2 * minLength && lengthOf(text) < minLength) {
    return minLength === 1 ? 'not be empty' : `be at least ${minLength} characters`;
  }
  if (pattern !== undefined && !patternOf(pattern).test(text)) return `match ${pattern}`;
  if (format !== undefined && !FORMATS[format]!.is(text)) return `be ${FORMATS[format]!.name}`;
  return null;
};

TypeRegistry.Set<TextBounds>('Text', (bounds, value) => typeof value === 'string' && misfit(bounds, value) === null);
for (const [name, { is }] of Object.entries(FORMATS)) FormatRegistry.Set(name, is);
