// The documented statuses of an endpoint: the reference lists each of them.
import { expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';

test.each([
  ['GET /v1/lookbooks/:slug', 'Errors: 400, 401, 404 (no published lookbook with that slug), 429, 500.'],
  ['GET /v1/reviews/:id', 'Errors: 400, 401, 403, 404, 429, 500.'],
  [
    'POST /v1/returns/:id/accept-credit',
    'Errors: 400, 401, 403, 404, 409 `conflict` (no pending store-credit offer), 429, 500.',
  ],
  ['POST /v1/disputes/:id/cancel', 'Errors listed: 400, 401, 403, 404, 409 `conflict`, 500.'],
])('%s: "%s"', (endpoint, sentence) => {
  const { operation } = routes.find(({ verb, path }) => `${verb} ${path}` === endpoint)!;
  const { responses } = operation as { readonly responses: object };
  expect(Object.keys(responses)).toEqual(expect.arrayContaining(sentence.match(/\b[45]\d\d\b/g)!));
});
