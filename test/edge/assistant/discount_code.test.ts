// Discount codes that do not apply stay among those that the protocols show, each with its reason.
import { beforeAll, expect, test } from 'vitest';
import * as acp from '#test/edge/assistant/acp/agent.ts';
import { type Document, openShop, type Shop } from '#test/edge/assistant/mcp/shop.ts';
import { sending } from '#test/edge/assistant/ucp/platform.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

allowLocalVerifier();
let stoa: Stoa;
let shop: Shop;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openShop(stoa);
  const promote = async (code: string, more: object) => {
    const body = { name: code, code, type: 'percentage', value: 10, status: 'active', ...more };
    const { status, text } = await shop.merchant.test('POST', '/v1/promotions', body);
    expect(status, text).toBe(201);
  };
  await promote('GOOD', { value: 50 });
  await promote('LESS', {});
  await promote('LARGE', { minimum_subtotal: 15 });
});

const CODES = ['NOPE', 'LARGE', 'GOOD', 'LESS'];
const REASONS = {
  NOPE: 'discount_code_invalid',
  LARGE: 'discount_code_minimum_not_met',
  LESS: 'discount_code_combination_disallowed',
};

const reasonsIn = ({ discounts, messages }: Document, path: 'path' | 'param') =>
  Object.fromEntries(
    messages.flatMap((message: Document) => {
      const at = /^\$\.discounts\.codes\[(\d+)\]$/.exec(message[path] ?? '');
      return at ? [[discounts.codes[Number(at[1])], message.code]] : [];
    }),
  );

test('shows them in UCP’s carts and checkouts, and applies one once it can', async () => {
  const send = sending(shop);
  const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
  const body = { line_items, discounts: { codes: CODES } };
  for (const path of ['carts', 'checkout-sessions']) {
    const { document, text } = await send('POST', `/ucp/${path}`, { body });
    expect(document.discounts.codes.toSorted(), text).toEqual(CODES.toSorted());
    expect(document.discounts.applied).toMatchObject([{ code: 'GOOD' }]);
    expect(reasonsIn(document, 'path')).toEqual(REASONS);
  }
});

test('shows them in ACP’s sessions, and tries them again when the items change', async () => {
  const send = acp.sending(shop);
  const created = await send('POST', '/acp/checkout_sessions', {
    body: { ...acp.wanted(shop, 1), discounts: { codes: ['LARGE', 'NOPE'] } },
  });
  const { id, discounts } = created.document;
  expect(discounts).toMatchObject({
    codes: ['LARGE', 'NOPE'],
    applied: [],
    rejected: [
      { code: 'LARGE', reason: REASONS.LARGE },
      { code: 'NOPE', reason: REASONS.NOPE },
    ],
  });
  expect(reasonsIn(created.document, 'param')).toEqual({ LARGE: REASONS.LARGE, NOPE: REASONS.NOPE });
  const { document: more } = await send('POST', `/acp/checkout_sessions/${id}`, {
    body: { line_items: [{ id: shop.mug, quantity: 2 }] },
  });
  acp.judged('CheckoutSession', more);
  expect(more.discounts).toMatchObject({
    codes: ['LARGE', 'NOPE'],
    applied: [{ code: 'LARGE' }],
    rejected: [{ code: 'NOPE', reason: REASONS.NOPE }],
  });
});

test('gives reads of each protocol a tag that stands until the answer changes', async () => {
  const body = { line_items: [{ item: { id: shop.mug }, quantity: 1 }] };
  const { document: checkout } = await sending(shop)('POST', '/ucp/checkout-sessions', { body });
  const { document: cart } = await sending(shop)('POST', '/ucp/carts', { body });
  const reads = [
    [acp.sending(shop), '/acp/feed'],
    [acp.sending(shop), `/acp/checkout_sessions/${checkout.id}`],
    [sending(shop), `/ucp/checkout-sessions/${checkout.id}`],
    [sending(shop), `/ucp/carts/${cart.id}`],
  ] as const;
  for (const [send, path] of reads) {
    const first = await send('GET', path);
    const etag = first.headers.get('etag')!;
    expect([first.status, etag], path).toEqual([200, expect.stringMatching(/^"\w+"$/)]);
    const again = await send('GET', path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.document, again.headers.get('etag')], path).toEqual([304, null, etag]);
  }
  await sending(shop)('POST', `/ucp/checkout-sessions/${checkout.id}/cancel`);
  const path = `/ucp/checkout-sessions/${checkout.id}`;
  const before = (await sending(shop)('GET', path)).headers.get('etag')!;
  const other = await acp.sending(shop)('GET', reads[1][1], { headers: { 'If-None-Match': before } });
  expect([other.status, other.document.status]).toEqual([200, 'canceled']);
});
