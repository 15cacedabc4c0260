// Opens a shop and visits its pages as a browser without scripts would; checks headers that every page must have.
import { expect } from 'vitest';
import { type Merchant, openMerchant } from '#test/support/catalog.ts';
import type { Stoa } from '#test/support/stoa.ts';

export const EVIL = '<img src=x onerror=alert(1)>"\'&';

export interface BuyerShop {
  readonly merchant: Merchant;
  readonly base: string;
  readonly variant: string;
}

export const openShopOf = async (stoa: Stoa, price = 10, currency = 'USD'): Promise<BuyerShop> => {
  const merchant = await openMerchant(stoa, { currency });
  const { test: sandbox } = merchant;
  const made = await sandbox('POST', '/v1/products', { name: `Mug ${EVIL}`, price, stock: 5 });
  expect(made.status, made.text).toBe(201);
  await sandbox('PUT', '/v1/shipping/config', {
    zones: [
      {
        name: 'Kenya',
        kind: 'countries',
        countries: ['KE'],
        rate: { fee: 5, options: [{ name: `Express ${EVIL}`, fee: 12 }] },
      },
      { name: 'Uganda', kind: 'countries', countries: ['UG'], rate: { fee: 7 } },
    ],
  });
  return { merchant, base: `${stoa.url}/s/${merchant.keys.code}`, variant: made.body.variant_id };
};

export const begin = async ({ merchant, variant }: BuyerShop, more: object = {}): Promise<string> => {
  const { body, status, text } = await merchant.test('POST', '/v1/agent/checkout-intents', {
    items: [{ variant_id: variant, quantity: 2 }],
    ...more,
  });
  expect(status, text).toBe(201);
  return body.data.id;
};

export interface LoadedPage {
  readonly status: number;
  readonly html: string;
  readonly headers: Headers;
}

export const load = async (url: string, form?: Record<string, string>): Promise<LoadedPage> => {
  const response = await fetch(url, {
    redirect: 'manual',
    ...(form && { method: 'POST', body: new URLSearchParams(form) }),
  });
  return { status: response.status, html: await response.text(), headers: response.headers };
};

/** Submits the form as a browser would: its values, and the buyer's input. */
export const submit = async (url: string, typed: Record<string, string>): Promise<LoadedPage> => {
  const { html } = await load(url);
  const values: Record<string, string> = {};
  const unescaped = (text: string): string =>
    text.replace(
      /&(lt|gt|quot|#x27|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', '#x27': "'" })[name as string] ?? '&',
    );
  new HTMLRewriter()
    .on('input', {
      element(input) {
        const name = input.getAttribute('name')!;
        if (input.getAttribute('type') === 'radio' && !input.hasAttribute('checked')) return;
        values[name] = unescaped(input.getAttribute('value') ?? '');
      },
    })
    .transform(html);
  return load(url, { ...values, ...typed });
};

export const READY = {
  email: 'ada@example.com',
  shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
  shipping_option_id: 'place',
};

export const isSafe = ({ html, headers }: LoadedPage): void => {
  expect(html).not.toContain('<img src=x');
  expect(html).not.toMatch(/<script|javascript:|svc_(?:sk|pk)_/i);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; (?:img-src [^;]+; )?form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('access-control-allow-origin')).toBeNull();
};

export const ordersOf = async ({ merchant }: BuyerShop) => (await merchant.test('GET', '/v1/orders')).body.orders;
