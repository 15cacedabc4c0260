// Signatures that receivers check: the specification's own form, and Standard Webhooks by its published example.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { newSigningSecret, signatureHeaders } from '#runtime/outbound/webhook_signature.ts';

const BODY = '{"test": 2432232314}';

test('the signed text is the timestamp, a dot, then the raw body, keyed by the whole secret', () => {
  const headers = signatureHeaders({ secrets: ['whsec_abc='], id: 'msg_1', body: BODY, nowMs: 1_614_265_330_999 });
  const expected = createHmac('sha256', 'whsec_abc=').update(`1614265330.${BODY}`).digest('hex');
  expect(headers['x-svc-signature']).toBe(`t=1614265330,v1=${expected}`);
});

test('Standard Webhooks: the example of its specification', () => {
  const headers = signatureHeaders({
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: BODY,
    nowMs: 1_614_265_330_000,
  });
  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('while a secret is rotated both sign, the new one first', () => {
  const headers = signatureHeaders({ secrets: ['whsec_bmV3', 'whsec_b2xk'], id: 'm', body: '', nowMs: 0 });
  expect(headers['x-svc-signature']).toMatch(/^t=0,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2);
});

test('a secret is 24 random bytes', () => {
  const [one, other] = [newSigningSecret(), newSigningSecret()];
  expect(one).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  expect(one).not.toBe(other);
});
