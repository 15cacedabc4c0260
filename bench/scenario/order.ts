// Orders of one piece each, signed, paid by hand: what a checkout ends with.
import { randomUUID } from 'node:crypto';
import { postRequest } from '#bench/load.ts';
import { signatureHeaders } from '#services/cli/signing.ts';
import { bearer, type Prepare } from './scenario.ts';

export const order: Prepare = async ({ store, variants }) => {
  let at = 0;
  return {
    path: '/v1/orders',
    next: () => {
      // A second order with the same body and timestamp has the same signature, and is refused.
      const body = JSON.stringify({
        note: String(at),
        items: [{ variant_id: variants[at++ % variants.length], quantity: 1 }],
        email: 'ada@example.com',
        shipping_address: { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' },
      });
      const key = { ...bearer(store.secret_key), 'Idempotency-Key': randomUUID() };
      return postRequest('/v1/orders', { ...key, ...signatureHeaders(store.hmac_secret, body) }, body);
    },
    expected: new Set([201]),
    reference: null,
  };
};
