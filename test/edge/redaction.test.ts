// Tests that recorded requests contain no secrets.
import { describe, expect, test } from 'vitest';
import { shownBody, shownPath, shownQuery } from '#edge/redaction.ts';

const show = (value: unknown) => JSON.parse(shownBody(JSON.stringify(value), 10_000)!);

describe('a body', () => {
  test.each([
    [
      { email: 'ada@example.com', password: 'open sesame' },
      { email: 'ada@example.com', password: '…' },
    ],
    [
      { refresh_token: 'rt_1', otp: '482913', code: '7K3M', code_verifier: 'v' },
      { refresh_token: '…', otp: '…', code: '…', code_verifier: '…' },
    ],
    [
      { credentials: { passkey: 'x' }, consumer_key: 'y' },
      { credentials: '…', consumer_key: '…' },
    ],
    [{ gift_card_codes: ['7K3M-9QTR'] }, { gift_card_codes: '…' }],
    [{ card: { number: '4111111111111111', cvc: '123' } }, { card: { number: '…', cvc: '…' } }],
    [{ card: { cryptogram: 'gXc5UCLnM6ckD7pjM1TdPA==' } }, { card: { cryptogram: '…' } }],
    [{ note: 'mine is svc_sk_live_0123456789abcdef' }, { note: 'mine is …' }],
    [{ list: [{ text: 'Bearer abc.def' }] }, { list: [{ text: '…' }] }],
    [
      { price: 12, tags: ['a'], secret: null },
      { price: 12, tags: ['a'], secret: null },
    ],
  ])('%j is shown as %j', (body, shown) => expect(show(body)).toEqual(shown));

  test('hides unreadable bodies and shortens long ones', () => {
    expect(shownBody('{"password": "open', 100)).toBeNull();
    expect(shownBody(JSON.stringify({ name: 'x'.repeat(500) }), 50)).toHaveLength(51);
  });
});

test('a query and a path keep no code', () => {
  expect(shownQuery('code=7K3M-9QTR&limit=5')).toBe('code=…&limit=5');
  expect(shownQuery('email=ada%40example.com&token=ml_1')).toBe('email=ada%40example.com&token=…');
  expect(shownPath('/v1/cart/gift-cards/7K3M-9QTR')).toBe('/v1/cart/gift-cards/…');
  expect(shownPath('/connect/Zk3')).toBe('/connect/…');
  expect(shownPath('/v1/connect/sessions')).toBe('/v1/connect/sessions');
  expect(shownPath('/v1/products/7')).toBe('/v1/products/7');
});
