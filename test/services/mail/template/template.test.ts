// Templates of mails: every built-in one renders with its example and names variables that exist; headers have one line;
// a store's failing part falls back to the built-in one.
import { describe, expect, test } from 'vitest';
import { KINDS, MAIL_KINDS } from '#services/mail/kind.ts';
import { builtInTemplate } from '#services/mail/template/built_in.ts';
import { exampleData } from '#services/mail/template/example.ts';
import { BUILT_IN_LANGUAGES, PHRASES } from '#services/mail/template/phrase.ts';
import { checkTemplate, renderTemplate } from '#services/mail/template/template.ts';
import { listVariables, type MailFrame, templateValues } from '#services/mail/template/variable.ts';

const frame: MailFrame = {
  store: {
    name: 'Lamps <b>& Sons',
    code: 'lamps',
    website_url: 'https://lamps.example',
    contact_email: 'hello@lamps.example',
    contact_phone: null,
    logo_url: 'https://lamps.example/logo.png',
    timezone: 'Africa/Nairobi',
    wholesale_enabled: false,
    colours: { primary_color: '#ffcc00', background_color: null, text_color: null },
  },
  publicUrl: 'https://stoa.example',
  language: 'en',
};
const EXAMPLES = exampleData({ currency: 'KES', now: '2026-03-05T22:30:00Z' });
const UNSUBSCRIBE = 'https://stoa.example/mail/unsubscribe/token';
const unsubscribeOf = (kind: (typeof MAIL_KINDS)[number]) => (KINDS[kind].group === 'marketing' ? UNSUBSCRIBE : null);
const never = (): never => {
  throw new Error('a part failed');
};

const EVERY = BUILT_IN_LANGUAGES.flatMap((language) => MAIL_KINDS.map((kind) => [language, kind] as const));

describe.each(EVERY)('the built-in template in %s of %s', (language, kind) => {
  const used = { ...frame, language };
  const values = templateValues(kind, EXAMPLES[kind], used, unsubscribeOf(kind));

  test('names only variables that exist', () => {
    expect(checkTemplate(builtInTemplate(kind, language), values, language)).toBeNull();
  });

  test('renders without leftovers, escaped, with the store’s branding', () => {
    const input = { kind, data: EXAMPLES[kind], frame: used, unsubscribeUrl: unsubscribeOf(kind), own: {} };
    const { subject, html, text } = renderTemplate(input, never);
    for (const part of [subject, html, text]) expect(part).not.toMatch(/\{[{%]|undefined|null\b|\[object/);
    expect(subject).not.toMatch(/[\r\n]/);
    expect(html).toContain(`<html lang="${language}">`);
    expect(html).toContain('Lamps &lt;b&gt;&amp; Sons');
    expect(html).not.toContain('Lamps <b>');
    expect(html).toContain('https://lamps.example/logo.png');
    expect(html).toContain('background:#ffcc00;color:#000000');
    expect(text).toContain('Lamps <b>& Sons');
    expect(html.includes(UNSUBSCRIBE)).toBe(KINDS[kind].group === 'marketing');
  });
});

/** Lists the phrases of a language by their path. */
const phrasesIn = (language: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(PHRASES[language]!).flatMap(([group, phrases]) =>
      Object.entries(phrases).map(([name, phrase]): [string, string] => [`${group}.${name}`, phrase]),
    ),
  );
const variablesIn = (phrase: string): string[] => [...new Set(phrase.match(/\b[a-z_]+\.[a-z_.]+\b/g))].sort();

describe.each(BUILT_IN_LANGUAGES.filter((language) => language !== 'en'))('the phrases in %s', (language) => {
  test('name the same variables as those of English, in other words', () => {
    const [own, english] = [phrasesIn(language), phrasesIn('en')];
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort());
    const same = [];
    for (const [path, phrase] of own) {
      expect(variablesIn(phrase), path).toEqual(variablesIn(english.get(path)!));
      expect(phrase, path).not.toMatch(/[<>"](?!(?:under_review|resolved|approved)?"?\s*%)(?!\s*0 %)/);
      if (phrase === english.get(path)) same.push(path);
    }
    expect(same.filter((path) => !/^shared\.(subtotal|total)$/.test(path))).toEqual([]);
  });
});

test('amounts and days are written as the language writes them', () => {
  const textIn = (language: string) =>
    renderTemplate(
      { kind: 'gift_card', data: GIFT, frame: { ...frame, language }, unsubscribeUrl: null, own: {} },
      never,
    ).text.replaceAll(/[\u00a0\u202f]/g, ' ');
  const GIFT = { gift_card: { ...EXAMPLES.gift_card.gift_card, balance: 1234.5, currency: 'EUR' } };
  expect(textIn('en')).toContain('1,234.50 EUR');
  expect(textIn('de')).toContain('1.234,50 EUR');
  expect(textIn('de')).toContain('bis zum 6. März 2026');
  expect(textIn('fr')).toContain('1 234,50 EUR');
  expect(textIn('pt-BR')).toContain('1.234,50 EUR');
  expect(textIn('pt-BR')).toContain('cartão-presente');
});

test('an unknown language gets the English template', () => {
  expect(builtInTemplate('otp', 'sw-KE')).toEqual(builtInTemplate('otp', 'en'));
});

test('amounts have their currency, days are the store’s', () => {
  const { text } = renderTemplate(
    { kind: 'gift_card', data: EXAMPLES.gift_card, frame, unsubscribeUrl: null, own: {} },
    never,
  );
  expect(text).toContain('a gift card of 50.00 KES');
  // 22:30 UTC is the next day in Nairobi.
  expect(text).toContain('until March 6, 2026');
});

test('a subject is one line, whatever its template or a shopper typed', () => {
  const own = { subject: 'Order\r\nBcc: eve@example.com {{ order.note }}\n{% if true %}x{% endif %}' };
  const order = { ...EXAMPLES.order_paid.order, note: 'a\r\nBcc: mallory@example.com\u2028b' };
  const { subject } = renderTemplate({ kind: 'order_paid', data: { order }, frame, unsubscribeUrl: null, own }, never);
  expect(subject).toBe('Order Bcc: eve@example.com a Bcc: mallory@example.com b x');
});

test('a part of the store’s that fails falls back to the built-in one, and is reported', () => {
  const failed: string[] = [];
  const own = { html: '{% for a in (1..9000000) %}{% endfor %}', text: 'Hello {{ order.number }}' };
  const data = EXAMPLES.order_paid;
  const { html, text } = renderTemplate({ kind: 'order_paid', data, frame, unsubscribeUrl: null, own }, ({ part }) => {
    failed.push(part);
  });
  expect(failed).toEqual(['html']);
  expect(html).toContain('Your payment has arrived');
  expect(text).toBe('Hello 1001\n');
});

test('marketing without the address that unsubscribes gets it at its end', () => {
  const own = { text: 'Back again.' };
  const data = EXAMPLES.back_in_stock;
  const { text } = renderTemplate({ kind: 'back_in_stock', data, frame, unsubscribeUrl: UNSUBSCRIBE, own }, never);
  expect(text).toBe(`Back again.\n\nUnsubscribe: ${UNSUBSCRIBE}\n`);
});

test('a link that is no web address is left out', () => {
  const { order } = EXAMPLES.order_shipped;
  const shipment = { carrier: 'DHL', tracking_number: '1', tracking_url: 'javascript:alert(1)' };
  const values = templateValues('order_shipped', { order, shipment }, frame, null);
  expect(values.shipment).toMatchObject({ tracking_url: null });
});

test('lists the variables by path, lists with brackets', () => {
  const names = listVariables(templateValues('order_placed', EXAMPLES.order_placed, frame, null)).map(
    ({ name }) => name,
  );
  expect(names).toEqual(
    expect.arrayContaining(['store.name', 'order.number', 'order.items[].name', 'order.address[]']),
  );
});
