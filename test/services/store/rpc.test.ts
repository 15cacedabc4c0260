// Merchants read and change their store with their keys.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CreateStoreResponse } from '#proto/gen/store_admin.ts';
import { monthName } from '#services/store/rpc.ts';
import { untyped } from '#test/support/event.ts';
import { type Caller, openStoreHost, type StoreHost } from './host.ts';

test('names a month by year and month, in UTC', () => {
  expect(monthName(Date.parse('2026-11-30T23:59:59.999Z'))).toBe('2026-11');
  expect(monthName(Date.parse('2026-12-01T00:00:00.000Z'))).toBe('2026-12');
});

let host: StoreHost;
let made: CreateStoreResponse;
let live: Caller;
let sandbox: Caller;
let shopper: Caller;
let sandboxShopper: Caller;
beforeAll(async () => {
  host = await openStoreHost();
});
afterAll(() => host.close());
beforeEach(async () => {
  made = await host.newStore({ currency: 'USD', country: 'KE' });
  const store = made.store_id;
  live = { store, environment: 'production', keyType: 'secret' };
  sandbox = { store, environment: 'sandbox', keyType: 'secret' };
  shopper = { store, environment: 'production', keyType: 'publishable' };
  sandboxShopper = { store, environment: 'sandbox', keyType: 'publishable' };
});

const read = async (caller: Caller) => (await host.call('Store/GetStore', caller)).store;
const change = async (caller: Caller, body: object) => (await host.call('Store/UpdateStore', caller, body)).store;
const refusal = (caller: Caller, body: object) => host.refused('Store/UpdateStore', caller, body);
const events = (caller: Caller) => host.events({ store: caller.store!, environment: caller.environment! });

describe('the store', () => {
  test('reads the store with both keys of both environments', async () => {
    const profile = await read(live);
    expect(profile).toMatchObject({
      id: made.store_id,
      code: made.code,
      currency: 'USD',
      currency_symbol: '$',
      idp: null,
      review_approval: 'manual',
    });
    const { idp: _idp, review_approval: _approval, updated_at: _time, retention: _retention, ...rest } = profile;
    expect(await read(shopper)).toEqual(rest);
    expect(await read(sandboxShopper)).toEqual(rest);
  });

  test('answers not_found for an unknown store', async () => {
    const unknown: Caller = { store: '00000000-0000-4000-8000-000000000000', keyType: 'publishable' };
    expect(await host.refused('Store/GetStore', unknown)).toMatchObject({ code: 'not_found' });
  });

  test('changes the store field by field, visible at once in both environments', async () => {
    const body = {
      name: 'New name',
      description: 'Tents and stoves',
      logo_url: 'https://acme.example/logo.png',
      branding: { colours: { main: '#0a0' }, fonts: ['Inter'] },
      website_url: 'https://acme.example',
      contact_email: 'hello@acme.example',
      contact_phone: '+254 700 000000',
      country: 'ug',
      timezone: 'Africa/Kampala',
      wholesale_enabled: true,
      return_window_days: 14,
      low_stock_threshold: 3,
      tax_inclusive: true,
      feeds: { products_enabled: true },
      cart_abandoned_after_minutes: 90,
      intent_ttl_minutes: 15,
      review_approval: 'verified',
    };
    await read(shopper);
    const after = await change(live, body);
    // A wholesale store's llms.txt is off until it is turned on.
    expect(after).toMatchObject({ ...body, country: 'UG', feeds: { llms_enabled: false, products_enabled: true } });
    const { idp: _idp, review_approval: _approval, updated_at: _time, retention: _retention, ...rest } = after;
    expect(await read(shopper)).toEqual(rest);
    expect(await read(sandboxShopper)).toEqual({ ...rest, allowed_redirect_origins: [] });

    const cleared = await change(live, { description: null, logo_url: null, branding: null, country: null });
    expect(cleared).toMatchObject({
      description: null,
      logo_url: null,
      branding: null,
      country: null,
      name: 'New name',
    });
  });

  test('sets how long records are retained, kind by kind, shown to a secret key only', async () => {
    const defaults = { mails_days: null, checkouts_days: null, audit_days: null, messages_days: null };
    expect(await change(live, { retention: { events_days: 7 } })).toMatchObject({
      retention: { ...defaults, events_days: 7 },
    });
    expect(await change(live, { retention: { messages_days: 365 } })).toMatchObject({
      retention: { ...defaults, events_days: 7, messages_days: 365 },
    });
    expect(await read(shopper)).not.toHaveProperty('retention');
    const { stores } = await host.call('StoreDirectory/ListRetention', live);
    expect(stores).toEqual([{ store_id: made.store_id, days: { events_days: 7, messages_days: 365 } }]);
    expect(await change(live, { retention: { events_days: null, messages_days: null } })).toMatchObject({
      retention: { ...defaults, events_days: null },
    });
    expect((await host.call('StoreDirectory/ListRetention', live)).stores).toEqual([]);
  });

  test('replaces the other languages as a whole, and refuses the default one among them', async () => {
    expect(await read(shopper)).toMatchObject({ language: 'en', languages: [] });
    expect(await change(live, { languages: ['DE', 'pt-br'] })).toMatchObject({ languages: ['de', 'pt-BR'] });
    expect(await refusal(live, { language: 'de' })).toMatchObject({
      code: 'invalid_request',
      extra: { param: 'language' },
    });
    expect(await refusal(live, { languages: ['sw', 'en'] })).toMatchObject({ extra: { param: 'languages[1]' } });
    expect(await change(live, { language: 'de', languages: ['en'] })).toMatchObject({ language: 'de' });
    expect(await read(shopper)).toMatchObject({ language: 'de', languages: ['en'] });
    expect(await refusal(sandbox, { languages: ['sw'] })).toMatchObject({ code: 'forbidden' });
  });

  test('keeps one feed when the other is set', async () => {
    await change(live, { feeds: { products_enabled: true } });
    expect((await change(live, { feeds: { llms_enabled: false } })).feeds).toEqual({
      llms_enabled: false,
      products_enabled: true,
    });
  });

  test('changes only the store of the key', async () => {
    const other = await host.newStore({ name: 'Other' });
    await change({ store: other.store_id, environment: 'production', keyType: 'secret' }, { name: 'Mine' });
    expect((await read(live)).name).toBe('Acme');
  });

  test.each([
    [{ timezone: 'Nowhere/Land' }, 'timezone'],
    [{ country: 'ZZ' }, 'country'],
    [{ currency: 'AAA' }, 'currency'],
    [{ allowed_redirect_origins: ['https://ok.example', 'https://x.example/path'] }, 'allowed_redirect_origins[1]'],
    [{ idp: { issuer: 'https://id.example' } }, 'idp'],
    [{ idp: { verifier_url: 'http://id.example' } }, 'idp.verifier_url'],
  ])('refuses %j and changes nothing of it', async (body, param) => {
    const before = await read(live);
    expect(await refusal(live, { name: 'Not this', ...body })).toMatchObject({
      code: 'invalid_request',
      extra: { param },
    });
    expect(await read(live)).toEqual(before);
    expect(await events(live)).toEqual([]);
  });
});

describe('each environment', () => {
  test('stores redirect origins and identity provider for each environment', async () => {
    const own = { allowed_redirect_origins: ['https://test.example'], idp: { verifier_url: 'https://id.example/v' } };
    expect(await change(sandbox, own)).toMatchObject(own);
    expect(await read(live)).toMatchObject({ allowed_redirect_origins: [], idp: null });
    const live_own = { idp: { issuer: 'https://i.example', jwks_url: 'https://i.example/keys', audience: 'a' } };
    expect(await change(live, live_own)).toMatchObject({ ...live_own, allowed_redirect_origins: [] });
    expect(await read(sandbox)).toMatchObject(own);
    expect(await change(sandbox, { idp: null })).toMatchObject({ ...own, idp: null });
    expect(await read(live)).toMatchObject(live_own);
  });

  test('never shows its identity provider to a publishable key', async () => {
    await change(live, { idp: { verifier_url: 'https://id.example/v' } });
    expect(await read(shopper)).not.toHaveProperty('idp');
    expect(JSON.stringify(await events(live))).not.toContain('id.example');
  });

  test('refuses a test key that changes shared settings, with a hint, and changes nothing', async () => {
    for (const body of [{ name: 'X' }, { name: 'X', idp: null }, { feeds: {} }, { branding: null }]) {
      expect(await refusal(sandbox, body)).toMatchObject({
        code: 'forbidden',
        extra: { hint: expect.stringContaining('live secret key') },
      });
    }
    expect((await read(live)).name).toBe('Acme');
  });
});

describe('currency', () => {
  test('changes the currency freely while nothing is priced in it', async () => {
    expect(await change(live, { currency: 'jpy' })).toMatchObject({ currency: 'JPY', currency_symbol: '¥' });
  });

  test.each(['production', 'sandbox'])('keeps its decimals once the %s has products', async (environment) => {
    host.products.set(`${made.store_id}/${environment}`, { any: true, active: false });
    for (const currency of ['JPY', 'KWD']) {
      const refused = await refusal(live, { currency });
      expect(refused).toMatchObject({ code: 'conflict', extra: { param: 'currency' } });
      expect(refused.extra.details).toContain(environment);
    }
    expect(await change(live, { currency: 'EUR' })).toMatchObject({ currency: 'EUR' });
  });
});

describe('store.updated', () => {
  test('emits store.updated in the key’s environment with changed fields and former values', async () => {
    await change(live, { name: 'New', timezone: 'UTC' });
    await change(live, { contact_email: 'a@b.example', return_window_days: 10 });
    const [first, second, ...more] = await events(live);
    expect(more).toEqual([]);
    expect(await events(sandbox)).toEqual([]);
    expect(first).toMatchObject({
      type: 'store.updated',
      store_id: made.store_id,
      data: { object: { id: made.store_id, name: 'New', changed_fields: ['name'] } },
      previous_attributes: { name: 'Acme' },
    });
    expect(untyped(second!.data.object).changed_fields).toEqual(['contact_email', 'return_window_days']);
    expect(second?.previous_attributes).toEqual({ contact_email: null, return_window_days: 30 });
  });

  test('emits no store.updated for other fields or unchanged values', async () => {
    await change(live, { timezone: 'Africa/Nairobi', feeds: { products_enabled: true }, tax_inclusive: true });
    await change(live, { name: 'Acme' });
    await change(live, {});
    await change(sandbox, { allowed_redirect_origins: ['https://x.example'] });
    expect(await events(live)).toEqual([]);
    expect(await events(sandbox)).toEqual([]);
  });
});

describe('policies', () => {
  const put = async (type: string, body: object) =>
    (await host.call('Store/PutPolicy', live, { type, ...body })).policy;
  const get = async (caller: Caller, input: object) => (await host.call('Store/GetPolicy', caller, input)).policy;
  const list = async (caller: Caller) => (await host.call('Store/ListPolicies', caller)).policies;
  const missing = (caller: Caller, input: object) => host.refused('Store/GetPolicy', caller, input);

  test('numbers policies as they are published and stores every version', async () => {
    const first = await put('terms', { title: 'Terms', body: 'one', publish: true });
    expect(first).toEqual({
      type: 'terms',
      title: 'Terms',
      body: 'one',
      version: 1,
      status: 'published',
      published_at: '2026-11-21T09:30:00.000Z',
    });
    const second = await put('terms', { title: 'Terms', body: 'two', publish: true });
    expect(second.version).toBe(2);
    expect(await get(shopper, { type: 'terms' })).toEqual(second);
    expect(await get(shopper, { type: 'terms', version: 1 })).toEqual(first);
    expect(await get(sandboxShopper, { type: 'terms', version: 2 })).toEqual(second);
    expect(await missing(shopper, { type: 'terms', version: 3 })).toMatchObject({ code: 'not_found' });
    expect(await list(shopper)).toEqual([second]);
  });

  test('stores one draft of each type, read by a secret key alone and deleted once published', async () => {
    const published = await put('privacy', { title: 'P', body: 'public', publish: true });
    await put('privacy', { title: 'P', body: 'draft one' });
    const draft = await put('privacy', { title: 'P2', body: 'draft two', publish: false });
    expect(draft).toEqual({
      type: 'privacy',
      title: 'P2',
      body: 'draft two',
      version: null,
      status: 'draft',
      published_at: null,
    });
    expect(await get(live, { type: 'privacy', draft: true })).toEqual(draft);
    expect(await missing(shopper, { type: 'privacy', draft: true })).toMatchObject({ code: 'not_found' });
    for (const caller of [live, shopper]) {
      expect(await get(caller, { type: 'privacy' })).toEqual(published);
      expect(await list(caller)).toEqual([published]);
    }
    await put('privacy', { title: 'P2', body: 'draft two', publish: true });
    expect(await missing(live, { type: 'privacy', draft: true })).toMatchObject({ code: 'not_found' });
    expect((await get(shopper, { type: 'privacy' })).version).toBe(2);
  });

  test('lists no drafts and reads them only on request', async () => {
    await put('refund', { title: 'R', body: 'soon' });
    for (const caller of [live, shopper]) {
      expect(await missing(caller, { type: 'refund' })).toMatchObject({ code: 'not_found' });
      expect(await list(caller)).toEqual([]);
    }
  });

  test('refuses a policy’s version together with draft', async () => {
    const refused = await missing(live, { type: 'refund', draft: true, version: 1 });
    expect(refused).toMatchObject({ code: 'invalid_request', extra: { param: 'version' } });
  });

  test('counts versions for each type and store, however many publish at once', async () => {
    const bodies = Array.from({ length: 8 }, (_, n) => `body ${n}`);
    const all = await Promise.all(bodies.map((body) => put('shipping', { title: 'S', body, publish: true })));
    expect(all.map(({ version }) => version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await put('returns', { title: 'R', body: 'b', publish: true })).version).toBe(1);
    const other = await host.newStore({ name: 'Other' });
    expect(await list({ store: other.store_id, keyType: 'publishable' })).toEqual([]);
  });
});

describe('usage', () => {
  const usage = async (caller: Caller) => (await host.call('Store/GetUsage', caller)).usage;
  const count = (caller: Caller, amount: number) => {
    const store = caller.store ?? '';
    host.spent.set(store, (host.spent.get(store) ?? 0) + amount);
  };

  test('reports the month’s usage against the plan’s quota', async () => {
    expect(await usage(live)).toEqual({
      plan: 'starter',
      trial: false,
      month: '2026-11',
      quota: 100_000,
      used: 0,
      remaining: 100_000,
    });
    count(live, 40);
    count(live, 2);
    expect(await usage(live)).toMatchObject({ used: 42, remaining: 99_958 });
    expect(await usage(sandbox)).toEqual(await usage(live));
  });

  test('reports no negative remainder, and none where nothing is metered', async () => {
    count(live, 7);
    await host.call('StoreAdmin/SetLimits', {}, { store: made.code, month: 5 });
    expect(await usage(live)).toMatchObject({ quota: 5, used: 7, remaining: 0 });
    await host.call('StoreAdmin/SetLimits', {}, { store: made.code, month: null });
    await host.call('StoreAdmin/SetPlan', {}, { store: made.code, plan: 'enterprise' });
    expect(await usage(live)).toMatchObject({ plan: 'enterprise', quota: null, used: 7, remaining: null });
    await host.call('StoreAdmin/SetPlan', {}, { store: made.code, plan: 'growth', trial: true });
    expect(await usage(live)).toMatchObject({ plan: 'growth', trial: true, quota: 200_000 });
  });
});
