// Which path a caller meant.
import { describe, expect, test } from 'vitest';
import { NearestPath } from '#edge/nearest.ts';
import { routes } from '#proto/gen/routes.ts';

const nearest = new NearestPath([...routes.map(({ path }) => path), '/docs', '/console', '/openapi.json']);

describe('the nearest path', () => {
  test.each([
    ['/v1/product', '/v1/products'],
    ['/v1/prodcuts', '/v1/products'],
    ['/v1/Products', '/v1/products'],
    ['/products', '/v1/products'],
    ['/v2/products', '/v1/products'],
    ['/v1/products/', '/v1/products'],
    ['//v1/products', '/v1/products'],
    ['/v1/product/0190a1b2-0000-7000-8000-000000000000', '/v1/products/{id}'],
    ['/v1/products/0190a1b2-0000-7000-8000-000000000000/variant', '/v1/products/{id}/variants'],
    ['/v1/order', '/v1/orders'],
    ['/v1/orders/7/refund', '/v1/orders/{id}/refunds'],
    ['/v1/auth/signin', '/v1/auth/login'],
    ['/v1/webhooks', '/v1/webhook-events'],
    ['/v1/webhook_endpoints', '/v1/webhook-endpoints'],
    ['/v1/shipping/calc', '/v1/shipping/calculate'],
    ['/v1/payment/initialise', '/v1/payments/initialize'],
    ['/doc', '/docs'],
    ['/openapi.jsn', '/openapi.json'],
  ])('to %s is %s', (asked, expected) => {
    const found = nearest.find(asked);
    // Two equally near paths are both acceptable.
    if (asked === '/v1/webhooks') expect(found).toMatch(/^\/v1\/webhook-/);
    else if (asked === '/v1/auth/signin') expect(found).toMatch(/^\/v1\/auth\//);
    else expect(found).toBe(expected);
  });

  test.each(['/favicon.ico', '/wp-login.php', `/v1/${'a'.repeat(300)}`, `/${'a/'.repeat(20)}`, '/.env'])(
    'to %s is none',
    (asked) => expect(nearest.find(asked)).toBeNull(),
  );

  test('suggests a path for any request under /v1', () => {
    for (const word of ['nothing', 'x', 'users', 'foo-bar']) expect(nearest.find(`/v1/${word}`)).toMatch(/^\/v1\//);
  });
});
