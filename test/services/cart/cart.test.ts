// Whose cart it is, and as what codes are kept.
import { expect, test } from 'vitest';
import { cartKey, normalCode, ownerOf } from '#services/cart/cart.ts';
import { CUSTOMER } from './shopper.ts';

test.each([
  [{ customer: CUSTOMER }, { customer_id: CUSTOMER, session_id: null }],
  [{ session: 'c:not a customer' }, { customer_id: null, session_id: 'c:not a customer' }],
])('the key of %o names it', (shopper, owner) => expect(ownerOf(cartKey(shopper))).toEqual(owner));

test.each([
  [' spring ', 'SPRING'],
  ['Spring-10%', 'SPRING-10%'],
  ['e\u0301te\u0301', '\u00c9T\u00c9'],
  ['   ', ''],
])('the code %j is kept as %j', (entered, kept) => expect(normalCode(entered)).toBe(kept));
