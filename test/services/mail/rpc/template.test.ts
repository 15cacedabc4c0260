// Mail templates over HTTP: reading, changing, resetting, previewing; errors with their line; tenants apart.
import { beforeAll, describe, expect, test } from 'vitest';
import type { MailTemplateSource } from '#proto/gen/mail_template.ts';
import { MAIL_KINDS } from '#services/mail/kind.ts';
import { type MailSandbox, openMailSandbox } from '#test/services/mail/sandbox.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let shop: MailSandbox;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openMailSandbox(stoa);
});

const path = (kind: string) => `/v1/mail-templates/${kind}`;
const put = (kind: string, body: object) => shop.send('PUT', path(kind), body);
const read = async (kind: string, query = ''): Promise<MailTemplateSource> =>
  (await shop.call('GET', `${path(kind)}${query}`)).mail_template;
const preview = async (kind: string, body: object = {}) =>
  (await shop.call('POST', `${path(kind)}/preview`, body)).preview;

test('lists every kind with its sources, its variables and whether it is sent', async () => {
  const { mail_templates: list } = await shop.call('GET', '/v1/mail-templates');
  expect(list.map(({ kind }: MailTemplateSource) => kind)).toEqual(MAIL_KINDS);
  const of = (kind: string): MailTemplateSource => list.find((one: MailTemplateSource) => one.kind === kind);
  expect(of('order_placed')).toMatchObject({ enabled: true, changed: false, editable: true, marketing: false });
  expect(of('order_placed').variables).toContainEqual({ name: 'order.number', example: '1001' });
  expect(of('abandoned_cart')).toMatchObject({ enabled: false, marketing: true });
  expect(of('otp')).toMatchObject({ editable: false, enabled: true });
});

test('changes a template for the mails that follow, and resets it', async () => {
  const other = await openMailSandbox(stoa);
  const change = { subject: 'Hello {{ order.number }}', text: '{{ store.name }}: {{ order.total }}' };
  const { mail_template: changed } = await other.call('PUT', path('order_placed'), change);
  expect(changed).toMatchObject({ ...change, changed: true, enabled: true, language: null });
  const email = other.newEmail();
  const { order_number } = await other.order(email);
  expect(await other.receives(email, 'order_placed')).toMatchObject({
    subject: `Hello ${order_number}`,
    text: 'Lamps & Sons: 25.00 USD\n',
  });
  expect((await read('order_placed')).changed).toBe(false);
  await other.call('PUT', path('order_placed'), { ...change, enabled: false });
  const { mail_template: reset } = await other.call('DELETE', path('order_placed'));
  const { variables: _reset, updated_at: resetAt, ...back } = reset;
  const { variables: _read, updated_at: _never, ...builtIn } = await read('order_placed');
  expect(back).toEqual(builtIn);
  expect(resetAt > changed.updated_at).toBe(true);
});

test('takes back what it answered, and calls a source that equals the built-in one unchanged', async () => {
  const { subject, html, text, enabled, language } = await read('order_cancelled');
  const { body } = await put('order_cancelled', { subject, html, text, enabled, language });
  expect(body.mail_template).toEqual(await read('order_cancelled'));
  expect(body.mail_template.changed).toBe(false);
});

test('falls back from a language to its base, then to the store’s own text, then to the built-in one', async () => {
  const other = await openMailSandbox(stoa);
  await other.addLanguages('de', 'pt-BR');
  const kind = path('order_delivered');
  const read = async (language: string) =>
    (await other.call('GET', `${kind}?language=${language}`)).mail_template.subject;
  expect(await read('de')).toBe('Ihre Bestellung {{ order.number }} wurde zugestellt');
  expect(await read('pt-BR')).toBe('Seu pedido {{ order.number }} foi entregue');
  expect(await read('sw')).toBe('Your order {{ order.number }} was delivered');
  await other.call('PUT', kind, { subject: 'Standard' });
  expect(await read('de')).toBe('Standard');
  await other.call('PUT', kind, { language: 'de', subject: 'Angekommen: {{ order.number }}' });
  expect(await read('de')).toBe('Angekommen: {{ order.number }}');
  expect(await read('de-AT')).toBe('Angekommen: {{ order.number }}');
  expect(await read('fr')).toBe('Standard');
  const { mail_template } = await other.call('GET', kind);
  expect(mail_template).toMatchObject({
    languages: ['de'],
    translations: { de: { subject: 'Angekommen: {{ order.number }}' } },
  });
  const { preview } = await other.call('POST', `${kind}/preview`, { language: 'de' });
  expect(preview.subject).toBe('Angekommen: 1001');
  // The part that the translation leaves out is the built-in one in its language.
  expect(preview.text).toContain('wurde zugestellt');
  expect(preview.html).toContain('<html lang="de">');
  await other.call('DELETE', `${kind}?language=de`);
  expect(await read('de')).toBe('Standard');
});

describe('translations', () => {
  let shop: MailSandbox;
  const kind = path('order_placed');
  const put = (body: object) => shop.send('PUT', kind, body);
  const read = async () => (await shop.call('GET', kind)).mail_template;
  beforeAll(async () => {
    shop = await openMailSandbox(stoa);
    await shop.addLanguages('de', 'pt-BR');
  });

  test('replace the former ones, stay where they are left out, and go with null', async () => {
    const translations = {
      de: { subject: 'Danke' },
      'pt-BR': { subject: 'Obrigado', text: 'Pedido {{ order.number }}' },
    };
    expect((await put({ subject: 'Thanks', translations })).body.mail_template.translations).toEqual(translations);
    await put({ subject: 'Thank you' });
    expect(await read()).toMatchObject({ subject: 'Thank you', translations });
    const { subject, html, text, enabled, ...rest } = await read();
    await put({ subject, html, text, enabled, translations: rest.translations });
    expect(await read()).toMatchObject({ subject: 'Thank you', translations });
    await put({ subject, translations: { de: { text: 'Hallo' } } });
    expect((await read()).translations).toEqual({ de: { text: 'Hallo' } });
    expect((await put({ subject, translations: null })).body.mail_template).not.toHaveProperty('translations');
  });

  const DOUBLED = `{% assign s = 'aaaaaaaa' %}{% for i in (1..60) %}{% assign s = s | append: s %}{% endfor %}{{ s }}`;
  test.each([
    ['in an unknown language', 'fr', { subject: 'Merci' }, 'translations.fr'],
    ['in the default language', 'en', { subject: 'Thanks' }, 'translations.en'],
    ['in no language', 'klingon', { subject: 'x' }, 'translations.klingon'],
    ['with an unknown variable', 'de', { html: 'a\n{{ order.nubmer }}' }, 'translations.de.html'],
    ['with an open tag', 'pt-BR', { text: 'a\n\n{% if order %}' }, 'translations["pt-BR"].text'],
    ['with a file', 'de', { text: "{% include 'x' %}" }, 'translations.de.text'],
    ['with a filter that shows objects', 'de', { subject: '{{ store.name | json }}' }, 'translations.de.subject'],
    ['with a long loop', 'de', { html: '{% for a in (1..99999999) %}{% endfor %}' }, 'translations.de.html'],
    ['with deep nesting', 'de', { html: '{% if order %}'.repeat(4_000) }, 'translations.de.html'],
    ['with a text that doubles', 'de', { text: DOUBLED }, 'translations.de.text'],
  ] as const)('refuse a template %s, and leave nothing behind', async (_what, language, parts, param) => {
    const before = await read();
    const refused = await put({ subject: 'New', translations: { 'pt-BR': { subject: 'Novo' }, [language]: parts } });
    expect([refused.status, refused.body.error.param]).toEqual([400, param]);
    if (param.split(/[.\]]/).length > 2) expect(refused.body.error.details).toMatch(/^line \d+, column \d+$/);
    expect(await read()).toEqual(before);
  });

  test('refuse one `language` beside them, and a language that is none of the store’s', async () => {
    const both = await put({ language: 'de', subject: 'Danke', translations: { de: { subject: 'Danke' } } });
    expect([both.status, both.body.error.param]).toEqual([400, 'translations']);
    for (const language of ['fr', 'en']) {
      const refused = await put({ language, subject: 'x' });
      expect([refused.status, refused.body.error.param]).toEqual([400, 'language']);
    }
  });

  test('stay in their own store', async () => {
    await put({ translations: { de: { subject: 'Nur hier' } } });
    const other = await openMailSandbox(stoa);
    await other.addLanguages('de');
    expect((await other.call('GET', `${kind}?language=de`)).mail_template.subject).not.toBe('Nur hier');
  });

  test('take eight changes at once, of which one stays whole', async () => {
    const all = Array.from({ length: 8 }, (_, at) => ({ de: { subject: `D ${at}` }, 'pt-BR': { subject: `P ${at}` } }));
    await Promise.all(all.map((translations) => put({ translations })));
    expect(all).toContainEqual((await read()).translations);
  });
});

describe('a template that is wrong', () => {
  test.each([
    ['subject', 'Hi {{ order.number', 1],
    ['html', '<p>a</p>\n{% if order.due %}\n<p>b</p>', 2],
    ['text', 'a\nb\n{{ order.nubmer }}', 3],
    ['html', '{{ order.number | json }}', 1],
    ['text', '{% for a in (1..99999999) %}{% endfor %}', 1],
  ] as const)('is refused in its %s with its line and leaves nothing behind: %s', async (part, source, line) => {
    for (const reply of [
      await put('order_paid', { [part]: source }),
      await shop.send('POST', '/v1/mail-templates/order_paid/preview', { [part]: source }),
    ]) {
      expect([reply.status, reply.body.error.param]).toEqual([400, part]);
      expect(reply.body.error.details).toMatch(new RegExp(`^line ${line}, column \\d+$`));
      expect(reply.body.error.message).toContain(`Line ${line} `);
    }
    expect((await read('order_paid')).changed).toBe(false);
  });

  test('cannot be written for a kind that opens accounts, or for an unknown kind', async () => {
    expect((await put('magic_link', { text: '{{ link }}' })).status).toBe(400);
    expect((await put('otp', { enabled: false })).status).toBe(400);
    expect((await shop.send('DELETE', '/v1/mail-templates/dashboard_link')).status).toBe(400);
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await shop.send(method, path('nothing'), method === 'PUT' ? {} : undefined)).status).toBe(404);
    expect((await put('order_paid', { language: 'German', subject: 'x' })).status).toBe(400);
  });
});

test('previews an order of the store, and no other store’s', async () => {
  const order = await shop.order(shop.newEmail(), { note: '<script>alert(1)</script>' });
  const shown = await preview('order_placed', {
    order_id: order.id,
    subject: '{{ order.number }}',
    html: '{{ order.note }}',
  });
  expect(shown.subject).toBe(order.order_number);
  expect(shown.html).toContain('&lt;script&gt;');
  expect(shown.html).not.toContain('<script');
  const other = await openMailSandbox(stoa);
  const foreign = await other.send('POST', `${path('order_placed')}/preview`, { order_id: order.id });
  expect([foreign.status, foreign.body.error.param]).toEqual([404, 'order_id']);
  expect((await shop.send('POST', `${path('gift_card')}/preview`, { order_id: order.id })).status).toBe(400);
});

test('each environment has templates of its own', async () => {
  const own = await openMailSandbox(stoa);
  await own.call('PUT', path('order_placed'), { subject: 'Sandbox' });
  const { body } = await stoa.send('GET', path('order_placed'), { key: own.keys.secret_key });
  expect(body.mail_template.changed).toBe(false);
});

test('eight changes at once leave one template, which is one of the eight', async () => {
  const own = await openMailSandbox(stoa);
  const subjects = Array.from({ length: 8 }, (_, at) => `Number ${at}`);
  await Promise.all(subjects.map((subject) => own.call('PUT', path('order_placed'), { subject })));
  const { mail_template } = await own.call('GET', path('order_placed'));
  expect(subjects).toContain(mail_template.subject);
});
