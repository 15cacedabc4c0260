// The shop's own texts in a language, with the amounts, numbers and dates that go with them. Pure.
import english from './language/en.json' with { type: 'json' };

export type TextName = keyof typeof english;
export const isTextName = (name: string): name is TextName => Object.hasOwn(english, name);
export type Texts = Readonly<Record<TextName, string>>;

/** Texts that have a form for each plural category of a language; `other` stands for those that a language file lacks. */
type CountName = TextName extends infer Name ? (Name extends `${infer Stem}.other` ? Stem : never) : never;

type Values = Readonly<Record<string, string | number>>;

export interface Words {
  /** Language of the texts, by which numbers and dates are written. */
  readonly language: string;
  readonly text: (name: TextName, values?: Values) => string;
  readonly count: (count: number, name: CountName) => string;
  readonly money: (amount: number | null | undefined, currency: string) => string;
  readonly deliveryFee: (amount: number, currency: string) => string;
  readonly currencyName: (currency: string) => string;
  /** A number with one decimal. */
  readonly mark: (number: number) => string;
  readonly date: (time: string) => string;
  /** From a calendar day such as 2026-01-31 to another one; one day if both are the same. */
  readonly days: (from: string, to: string) => string;
  readonly clock: (time: string) => string;
}

export type Text = Words['text'];

const filled = (text: string, values: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place));

export const wordsOf = (language: string, texts: Texts = english): Words => {
  const text: Text = (name, values) => filled(texts[name], values);
  const money: Words['money'] = (amount, currency) =>
    amount === null || amount === undefined
      ? texts.not_for_sale
      : new Intl.NumberFormat(language, { style: 'currency', currency }).format(amount);
  return {
    language,
    text,
    money,
    count: (count, name) => {
      const one = new Intl.PluralRules(language).select(count) === 'one';
      return text(one ? `${name}.one` : `${name}.other`, { count: new Intl.NumberFormat(language).format(count) });
    },
    deliveryFee: (amount, currency) => (amount === 0 ? texts.free : money(amount, currency)),
    currencyName: (currency) =>
      `${currency} – ${new Intl.DisplayNames(language, { type: 'currency' }).of(currency) ?? currency}`,
    mark: (number) =>
      new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(number),
    date: (time) => new Date(time).toLocaleDateString(language, { dateStyle: 'long' }),
    days: (from, to) =>
      new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' }).formatRange(
        new Date(from),
        new Date(to),
      ),
    clock: (time) => new Date(time).toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit' }),
  };
};

export const ENGLISH = wordsOf('en');
