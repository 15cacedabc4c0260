// Formats money, numbers and times as a store's country writes them, in the language of the dashboard, English.

export interface FormatSetting {
  /** ISO 4217 code; the country by ISO 3166 in two letters, the time zone by its IANA name. */
  readonly currency: string;
  readonly country: string | null;
  readonly timezone: string;
}

export interface Formats {
  /** In the store's currency unless another one is named. */
  readonly money: (amount: number, currency?: string) => string;
  /** For the axis of a chart: `US$1.5K`. */
  readonly shortMoney: (amount: number, currency?: string) => string;
  readonly number: (value: number) => string;
  /** 0.16 is `16%`. */
  readonly percent: (share: number) => string;
  readonly date: (time: string | number) => string;
  /** Without the year. */
  readonly day: (time: string | number) => string;
  readonly moment: (time: string | number) => string;
  readonly hour: (time: string | number) => string;
}

const localeOf = (country: string | null): string => {
  const locale = `en-${country ?? 'US'}`;
  return Intl.NumberFormat.supportedLocalesOf(locale).length > 0 ? locale : 'en';
};

export const formatsOf = ({ currency, country, timezone }: FormatSetting): Formats => {
  const locale = localeOf(country);
  const moneyIn = (code: string) => new Intl.NumberFormat(locale, { style: 'currency', currency: code });
  const own = moneyIn(currency);
  const shortIn = (code: string) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency: code, notation: 'compact' });
  const numbers = new Intl.NumberFormat(locale);
  const percents = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
  const dates = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: timezone });
  const moments = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: timezone });
  const days = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: timezone });
  const hours = new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: timezone });
  return {
    money: (amount, code = currency) => (code === currency ? own : moneyIn(code)).format(amount),
    shortMoney: (amount, code = currency) => shortIn(code).format(amount),
    number: (value) => numbers.format(value),
    percent: (share) => percents.format(share),
    date: (time) => dates.format(new Date(time)),
    day: (time) => days.format(new Date(time)),
    moment: (time) => moments.format(new Date(time)),
    hour: (time) => hours.format(new Date(time)),
  };
};
