// Whose cart it is.
import { expect, test } from 'vitest';
import { cartKey, ownerOf } from '#services/cart/cart.ts';
import { CUSTOMER } from './shopper.ts';

test.each([
  [{ customer: CUSTOMER }, { customer_id: CUSTOMER, session_id: null }],
  [{ session: 'c:not a customer' }, { customer_id: null, session_id: 'c:not a customer' }],
])('the key of %o names it', (shopper, owner) => expect(ownerOf(cartKey(shopper))).toEqual(owner));
