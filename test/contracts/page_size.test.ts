// The page size that the documentation names is the one that a list has.
import { beforeAll, describe, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore({ country: 'KE' });
});

/** Lists that have no pages: the activity of the edge itself, and suggestions. */
const WHOLE_LISTS = ['/v1/console/activity', '/v1/geo/places'];

interface Documented {
  readonly name: string;
  readonly schema: { readonly default?: number };
}

const lists = routes.flatMap((route) => {
  const { parameters = [] } = route.operation as { parameters?: Documented[] };
  const limit = parameters.find(({ name }) => name === 'limit');
  const open = route.verb === 'GET' && !/:/.test(route.path) && route.access.session === 'none';
  return limit && open && route.access.key !== 'operator'
    ? [[route.path, limit.schema.default, route.access.live_only] as const]
    : [];
});

describe('the size of a page', () => {
  test('documents the default page size of every list', () => {
    expect(lists.length).toBeGreaterThanOrEqual(10);
    expect(lists.filter(([, size]) => size === undefined)).toEqual([]);
  });

  test.each(lists)('pages %s by %d when the caller names no limit', async (path, size, isLiveOnly) => {
    const key = isLiveOnly ? keys.secret_key : keys.secret_test_key;
    const { status, body } = await stoa.send('GET', path, { key });
    expect(status).toBe(200);
    if (!WHOLE_LISTS.includes(path)) expect(body.pagination.limit).toBe(size);
  });
});
