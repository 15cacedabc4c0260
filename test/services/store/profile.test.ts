// Profiles: which fields each key sees, which changes are valid and which emit store.updated.

import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { NO_OVERRIDES } from '#services/store/plan.ts';
import { applyChange, profileFor, readChange, type StoreRecord, updatedFields } from '#services/store/profile.ts';

const STORE: StoreRecord = {
  id: '7b1e2f9c-1111-4222-8333-444455556666',
  code: 'acme',
  name: 'Acme',
  description: null,
  logo_url: null,
  branding: { colour: '#123456' },
  website_url: 'https://acme.example',
  contact_email: null,
  contact_phone: null,
  currency: 'KES',
  country: 'KE',
  timezone: 'Africa/Nairobi',
  wholesale_enabled: false,
  return_window_days: 30,
  low_stock_threshold: 5,
  tax_inclusive: false,
  llms_enabled: null,
  products_enabled: false,
  cart_abandoned_after_minutes: 60,
  intent_ttl_minutes: 30,
  review_approval: 'manual',
  agents_mcp: true,
  agents_acp: true,
  agents_ucp: true,
  domains: [],
  language: 'en',
  languages: [],
  currencies: [],
  retention: {},
  plan: 'starter',
  trial: false,
  lapsed: false,
  limits: NO_OVERRIDES,
  updated_at: new Date('2026-03-02T09:00:00Z'),
  environments: {
    production: {
      allowed_redirect_origins: ['https://acme.example'],
      idp: { verifier_url: 'https://id.example' },
      exchange_rates: [],
    },
    sandbox: { allowed_redirect_origins: [], idp: null, exchange_rates: [] },
  },
};

describe('the profile shown', () => {
  test('shows the identity provider to a secret key only', () => {
    expect(profileFor(STORE, 'production', 'secret').idp).toEqual({ verifier_url: 'https://id.example' });
    expect(profileFor(STORE, 'sandbox', 'secret').idp).toBeNull();
    for (const keyType of ['publishable', 'operator', 'internal', 'none'] as const) {
      expect(profileFor(STORE, 'production', keyType)).not.toHaveProperty('idp');
    }
  });

  test('shows each environment’s own origins', () => {
    expect(profileFor(STORE, 'production', 'publishable').allowed_redirect_origins).toEqual(['https://acme.example']);
    expect(profileFor(STORE, 'sandbox', 'publishable').allowed_redirect_origins).toEqual([]);
  });

  test('shows the currency’s symbol, and no plan, limits or secrets', () => {
    const profile = profileFor(STORE, 'production', 'secret');
    expect(profile.currency_symbol).toBe('KSh');
    for (const name of ['plan', 'trial', 'lapsed', 'limits', 'environments', 'llms_enabled']) {
      expect(profile).not.toHaveProperty(name);
    }
  });

  test.each([
    [null, false, true],
    [null, true, false],
    [true, true, true],
    [false, false, false],
  ])('llms.txt set to %s, wholesale %s: %s', (llms_enabled, wholesale_enabled, enabled) => {
    const store = { ...STORE, llms_enabled, wholesale_enabled };
    expect(profileFor(store, 'production', 'publishable').feeds.llms_enabled).toBe(enabled);
  });
});

describe('a change', () => {
  test.each([
    [{ currency: 'usd' }, { currency: 'USD' }],
    [{ country: 'ug' }, { country: 'UG' }],
    [{ country: null }, { country: null }],
    [{ timezone: 'Europe/Berlin' }, { timezone: 'Europe/Berlin' }],
    [{ timezone: 'UTC' }, { timezone: 'UTC' }],
    [{ description: null }, { description: null }],
    [{ feeds: { products_enabled: true } }, { products_enabled: true }],
    [{ feeds: { llms_enabled: false } }, { llms_enabled: false }],
  ])('%j is taken as %j', (input, shared) => {
    expect(readChange(input, 'production', false)).toEqual({ shared, own: {} });
  });

  test('changes origins and identity provider of one environment only', () => {
    const change = readChange({ allowed_redirect_origins: ['https://x.example/'], idp: null }, 'sandbox', false);
    expect(change).toEqual({ shared: {}, own: { allowed_redirect_origins: ['https://x.example'], idp: null } });
  });

  test.each([
    [{ currency: 'ZZZ' }, 'currency'],
    [{ country: 'UK' }, 'country'],
    [{ timezone: 'Mars/Olympus' }, 'timezone'],
    [{ timezone: '+03:00' }, 'timezone'],
    [{ branding: { css: 'x'.repeat(65 * 1024) } }, 'branding'],
    [{ allowed_redirect_origins: ['nowhere'] }, 'allowed_redirect_origins[0]'],
    [{ idp: {} }, 'idp'],
  ])('%j is refused', (input, param) => {
    const refusal = readChange(input, 'production', false);
    expect(refusal).toBeInstanceOf(Refusal);
    expect(refusal).toMatchObject({ code: 'invalid_request', extra: { param } });
  });

  test('leaves the other environment unchanged', () => {
    const after = applyChange(STORE, { shared: { name: 'New' }, own: { idp: null } }, 'production');
    expect(after.name).toBe('New');
    expect(after.environments.production).toEqual({ ...STORE.environments.production, idp: null });
    expect(after.environments.sandbox).toBe(STORE.environments.sandbox);
  });
});

describe('store.updated', () => {
  const changesOf = (change: Partial<StoreRecord>) =>
    updatedFields(
      profileFor(STORE, 'production', 'publishable'),
      profileFor({ ...STORE, ...change }, 'production', 'publishable'),
    );

  test.each([
    [{ name: 'New' }, ['name'], { name: 'Acme' }],
    [{ logo_url: 'https://acme.example/a.png' }, ['logo_url'], { logo_url: null }],
    [{ branding: { colour: 'red' } }, ['branding'], { branding: { colour: '#123456' } }],
    [{ contact_email: 'hi@acme.example' }, ['contact_email'], { contact_email: null }],
    [{ contact_phone: '+254' }, ['contact_phone'], { contact_phone: null }],
    [{ currency: 'USD' }, ['currency'], { currency: 'KES' }],
    [{ name: 'New', timezone: 'UTC' }, ['name', 'timezone'], { name: 'Acme', timezone: 'Africa/Nairobi' }],
  ])('tells %j', (change, changedFields, previous) => {
    expect(changesOf(change)).toEqual({ changedFields, previous });
  });

  test.each([
    {},
    { name: 'Acme' },
    { branding: { colour: '#123456' } },
    { timezone: 'UTC', return_window_days: 3, description: 'x' },
    { products_enabled: true },
  ])('keeps %j to itself', (change) => {
    expect(changesOf(change)).toBeNull();
  });
});
