// Tests curated sections over HTTP: what an operator writes, and which items shoppers see.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { eventually } from '#test/support/server.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const NOWHERE = '00000000-0000-7000-8000-000000000000';

let stoa: Stoa;
let one: Keys;
let two: Keys;
let outsider: Keys;
let operator: { operator_id: string; operator_key: string; operator_test_key: string };
beforeAll(async () => {
  stoa = await sharedStoa();
  [one, two, outsider] = [await stoa.createStore(), await stoa.createStore(), await stoa.createStore()];
  operator = await openOperator([one, two]);
});

const openOperator = async (stores: readonly Keys[]) =>
  ok(
    await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, {
      name: 'Mall',
      stores: stores.map(({ store_id }) => store_id),
    }),
  );
const ask = (method: string, path: string, body?: unknown, key = operator.operator_key) =>
  stoa.send(method, path, { key, ...(body === undefined ? {} : { body }) });
const put = (slug: string, body: object, key?: string) =>
  ask(
    'PUT',
    `/v1/marketplace/collections/${slug}`,
    { name: 'For rainy days', placement_kind: 'product', items: [], ...body },
    key,
  );
const section = async (slug: string, query = '') => {
  const { status, body, text } = await ask('GET', `/v1/marketplace/collections/${slug}${query}`);
  expect(status, text).toBe(200);
  return body.collection;
};
const problem = ({ status, body }: Reply) => [status, body.error.code, body.error.param];
const made = async (keys: Keys, path: string, body: object) => {
  const { status, body: answer, text } = await stoa.send('POST', path, { key: keys.secret_key, body });
  expect(status, text).toBe(201);
  return answer;
};
const productOf = async (keys: Keys, name: string): Promise<{ merchant_store_id: string; product_id: string }> => {
  const { id } = await made(keys, '/v1/products', { name, price: 5, stock: 1 });
  return { merchant_store_id: keys.store_id, product_id: id };
};

describe('a section of products', () => {
  test('lists members that are not shown now on request, so that none is lost when it is written anew', async () => {
    const [shown, gone] = [await productOf(one, 'Coat'), await productOf(two, 'Hat')];
    expect((await put('hidden', { items: [gone, shown] })).status).toBe(200);
    await stoa.send('PATCH', `/v1/products/${gone.product_id}`, { key: two.secret_key, body: { is_active: false } });
    await eventually(async () => expect((await section('hidden')).items).toEqual([shown]));
    expect(await section('hidden')).not.toHaveProperty('hidden_items');
    expect(await section('hidden', '?hidden=true')).toMatchObject({ items: [shown], hidden_items: [gone] });
    expect((await put('hidden', { items: [shown, gone] })).status).toBe(200);
    await stoa.send('PATCH', `/v1/products/${gone.product_id}`, { key: two.secret_key, body: { is_active: true } });
    await eventually(async () => expect((await section('hidden')).items).toEqual([shown, gone]));
    expect((await section('hidden', '?hidden=true')).hidden_items).toEqual([]);
  });

  // All fields of the documented resource.
  test('returns slug, name, description, placement_kind and its items in order, always curated', async () => {
    const items = [await productOf(two, 'Boot'), await productOf(one, 'Coat'), await productOf(two, 'Hat')];
    const written = await put('rain', { description: 'What keeps you dry.', items });
    expect(written.status, written.text).toBe(200);
    const whole = {
      slug: 'rain',
      name: 'For rainy days',
      description: 'What keeps you dry.',
      placement_kind: 'product',
      curated: true,
      items,
      updated_at: expect.any(String),
    };
    expect(written.body.collection).toEqual(whole);
    expect(await section('rain')).toEqual(written.body.collection);
    expect((await section('rain', '?limit=2')).items).toEqual(items.slice(0, 2));
    expect((await ask('GET', '/v1/marketplace/collections')).body.collections).toContainEqual(whole);
  });

  test('omits inactive and deleted products until they are active again', async () => {
    const [coat, boot] = [await productOf(one, 'Coat'), await productOf(one, 'Boot')];
    await put('live', { items: [coat, boot] });
    const product = (method: string, { product_id }: typeof coat, body?: object) =>
      stoa.send(method, `/v1/products/${product_id}`, { key: one.secret_key, ...(body && { body }) });
    await product('PATCH', coat, { is_active: false });
    expect((await section('live')).items).toEqual([boot]);
    await product('PATCH', coat, { is_active: true });
    expect((await section('live')).items).toEqual([coat, boot]);
    await product('DELETE', boot);
    expect((await section('live')).items).toEqual([coat]);
  });

  test('can be replaced as a whole, and deleted', async () => {
    await put('brief', { items: [await productOf(one, 'Coat')] });
    expect((await put('brief', { name: 'Another' })).body.collection).toMatchObject({ name: 'Another', items: [] });
    // The path identifies a section by its slug.
    const gone = { deleted: true, id: 'brief', slug: 'brief' };
    expect((await ask('DELETE', `/v1/marketplace/collections/brief`)).body).toEqual(gone);
    for (const method of ['GET', 'DELETE'])
      expect((await ask(method, `/v1/marketplace/collections/brief`)).status).toBe(404);
  });

  test('refuses foreign merchants, unknown ids and ids of another kind', async () => {
    const coat = await productOf(one, 'Coat');
    const foreign = await productOf(outsider, 'Coat');
    for (const [body, expected] of [
      [{ items: [coat, foreign] }, [404, 'not_found', 'items[1].merchant_store_id']],
      [{ items: [{ ...coat, product_id: NOWHERE }] }, [404, 'not_found', 'items[0].product_id']],
      [{ items: [{ ...coat, merchant_store_id: two.store_id }] }, [404, 'not_found', 'items[0].product_id']],
      [{ items: [{ merchant_store_id: one.store_id }] }, [400, 'invalid_request', 'items[0].product_id']],
      [{ items: [{ ...coat, promotion_id: NOWHERE }] }, [400, 'invalid_request', 'items[0].promotion_id']],
      [{ placement_kind: 'merchant', items: [coat] }, [400, 'invalid_request', 'items[0].product_id']],
      [{ placement_kind: 'brand' }, [400, 'invalid_request', 'placement_kind']],
      [{ items: Array(101).fill(coat) }, [400, 'invalid_request', 'items']],
      [{ name: '' }, [400, 'invalid_request', 'name']],
    ] as const)
      expect(problem(await put('wrong', body)), JSON.stringify(body).slice(0, 200)).toEqual(expected);
    expect(problem(await put('Wrong_Slug', {}))).toEqual([400, 'invalid_request', 'slug']);
    expect((await ask('GET', `/v1/marketplace/collections/wrong`)).status).toBe(404);
    expect((await ask('GET', `/v1/marketplace/collections/rain`, undefined, 'svc_mk_live_none')).status).toBe(401);
    expect(problem(await ask('GET', `/v1/marketplace/collections/rain?limit=101`))).toEqual([
      400,
      'invalid_request',
      'limit',
    ]);
  });
});

test('a section of merchants omits those that left or lapsed', async () => {
  const [brief, permanent] = [await stoa.createStore({ name: 'Brief' }), await stoa.createStore({ name: 'Lasting' })];
  const marketplace = await openOperator([brief, permanent]);
  const items = [brief, permanent].map(({ store_id }) => ({ merchant_store_id: store_id }));
  const written = await put('shops', { placement_kind: 'merchant', items }, marketplace.operator_key);
  expect(written.body.collection.items).toEqual([
    { merchant_store_id: brief.store_id, name: 'Brief', logo_url: null },
    { merchant_store_id: permanent.store_id, name: 'Lasting', logo_url: null },
  ]);
  const names = async () =>
    (
      await ask('GET', `/v1/marketplace/collections/shops`, undefined, marketplace.operator_key)
    ).body.collection.items.map(({ name }: { name: string }) => name);
  const leaving = { operator: marketplace.operator_id, store: brief.store_id, member: false };
  ok(await stoa.services.runtime.ask('StoreAdmin/SetMerchant', NO_TENANT, leaving));
  expect(await names()).toEqual(['Lasting']);
  ok(await stoa.services.runtime.ask('StoreAdmin/SetLapsed', NO_TENANT, { store: permanent.store_id, lapsed: true }));
  await eventually(async () => expect(await names()).toEqual([]));
});

test('a section of promotions shows only those visible to shoppers', async () => {
  const { promotion } = await made(one, '/v1/promotions', {
    name: 'Spring',
    type: 'percentage',
    value: 10,
    status: 'active',
  });
  const items = [{ merchant_store_id: one.store_id, promotion_id: promotion.id }];
  const { body } = await put('offers', { placement_kind: 'promotion', items });
  expect(body.collection.items).toEqual([{ ...items[0], title: 'Spring', ends_at: null }]);
  await stoa.send('PATCH', `/v1/promotions/${promotion.id}`, { key: one.secret_key, body: { status: 'paused' } });
  expect((await section('offers')).items).toEqual([]);
  const nowhere = [{ merchant_store_id: one.store_id, promotion_id: NOWHERE }];
  expect(problem(await put('none', { placement_kind: 'promotion', items: nowhere }))).toEqual([
    404,
    'not_found',
    'items[0].promotion_id',
  ]);
});

describe('sections cached at the edge', () => {
  const read = (slug: string, key = operator.operator_key, headers = {}) =>
    stoa.send('GET', `/v1/marketplace/collections/${slug}`, { key, headers });
  const from = async (slug: string) => (await read(slug)).headers.get('x-cache');
  /** Repeats the request until it is cached. */
  const isCached = async (slug: string) => {
    await from(slug);
    expect(await from(slug)).toBe('HIT');
  };
  const change = async (keys: Keys, path: string, body: object) => {
    const { status, text } = await stoa.send('PATCH', path, { key: keys.secret_key, body });
    expect(status, text).toBe(200);
  };

  test('carry an ETag and stay cached', async () => {
    await put('kept', { items: [await productOf(one, 'Coat')] });
    await isCached('kept');
    const { headers } = await read('kept');
    expect(headers.get('cache-control')).toBe('private, max-age=0, must-revalidate');
    const again = await read('kept', operator.operator_key, { 'If-None-Match': headers.get('etag') ?? '' });
    expect(again.status).toBe(304);
  });

  test('show a change of their products at once, and stay cached for other products', async () => {
    const [coat, boot, other] = [
      await productOf(one, 'Coat'),
      await productOf(two, 'Boot'),
      await productOf(one, 'Hat'),
    ];
    await put('changing', { items: [coat, boot] });
    for (const [keys, item, rest] of [
      [one, coat, boot],
      [two, boot, coat],
    ] as const)
      for (const is_active of [false, true]) {
        await isCached('changing');
        await change(keys, `/v1/products/${item.product_id}`, { is_active });
        expect((await section('changing')).items).toEqual(is_active ? [coat, boot] : [rest]);
      }
    await isCached('changing');
    await change(one, `/v1/products/${other.product_id}`, { name: 'Cap' });
    expect(await from('changing')).toBe('HIT');
  });

  test('show a change by the operator at once', async () => {
    await put('written', {});
    await isCached('written');
    await put('written', { name: 'Another' });
    expect((await section('written')).name).toBe('Another');
    await isCached('written');
    await ask('DELETE', `/v1/marketplace/collections/written`);
    expect((await ask('GET', `/v1/marketplace/collections/written`)).status).toBe(404);
  });

  test('show at once that a merchant is renamed, lapses, resumes or leaves', async () => {
    const keys = await stoa.createStore({ name: 'Before' });
    const marketplace = await openOperator([keys]);
    const coat = await productOf(keys, 'Coat');
    const items = [{ merchant_store_id: keys.store_id }];
    await put('shops', { placement_kind: 'merchant', items }, marketplace.operator_key);
    await put('coats', { items: [coat] }, marketplace.operator_key);
    const shown = async () => {
      const [shops, coats] = [
        await read('shops', marketplace.operator_key),
        await read('coats', marketplace.operator_key),
      ];
      return [shops.body.collection.items.map(({ name }: { name: string }) => name), coats.body.collection.items];
    };
    const { ask: house } = stoa.services.runtime;
    for (const _ of [1, 2]) expect(await shown()).toEqual([['Before'], [coat]]);
    await change(keys, '/v1/store', { name: 'After' });
    for (const _ of [1, 2]) expect(await shown()).toEqual([['After'], [coat]]);
    ok(await house('StoreAdmin/SetLapsed', NO_TENANT, { store: keys.store_id, lapsed: true }));
    for (const _ of [1, 2]) expect(await shown()).toEqual([[], []]);
    ok(await house('StoreAdmin/SetLapsed', NO_TENANT, { store: keys.store_id, lapsed: false }));
    for (const _ of [1, 2]) expect(await shown()).toEqual([['After'], [coat]]);
    const member = { operator: marketplace.operator_id, store: keys.store_id };
    ok(await house('StoreAdmin/SetMerchant', NO_TENANT, { ...member, member: false }));
    for (const _ of [1, 2]) expect(await shown()).toEqual([[], []]);
    ok(await house('StoreAdmin/SetMerchant', NO_TENANT, { ...member, member: true }));
    expect(await shown()).toEqual([['After'], [coat]]);
  });

  test('show a promotion from start to end by the sandbox’s clock, and changes at once', async () => {
    const made = async (body: object) => {
      const request = { type: 'percentage', value: 10, ...body };
      const reply = await stoa.send('POST', '/v1/promotions', { key: one.secret_test_key, body: request });
      expect(reply.status, reply.text).toBe(201);
      return { merchant_store_id: one.store_id, promotion_id: reply.body.promotion.id };
    };
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    const items = [
      await made({ name: 'Brief', status: 'active', ends_at: inDays(1) }),
      await made({ name: 'Later', starts_at: inDays(2) }),
      await made({ name: 'Lasting', status: 'active' }),
    ];
    await put('offers', { placement_kind: 'promotion', items }, operator.operator_test_key);
    const titles = async () =>
      (await read('offers', operator.operator_test_key)).body.collection.items.map(
        ({ title }: { title: string }) => title,
      );
    const travel = async (days: number) => {
      const body = { advance_seconds: days * 86_400 };
      const moved = await stoa.send('POST', '/v1/sandbox/time-travel', { key: one.secret_test_key, body });
      expect(moved.status, moved.text).toBe(200);
    };
    for (const _ of [1, 2]) expect(await titles()).toEqual(['Brief', 'Lasting']);
    await travel(1.5);
    for (const _ of [1, 2]) expect(await titles()).toEqual(['Lasting']);
    await travel(1);
    for (const _ of [1, 2]) expect(await titles()).toEqual(['Later', 'Lasting']);
    const paused = { key: one.secret_test_key, body: { status: 'paused' } };
    await stoa.send('PATCH', `/v1/promotions/${items[2]!.promotion_id}`, paused);
    expect(await titles()).toEqual(['Later']);
  });
});

test('operators and environments have separate sections', async () => {
  const other = await openOperator([one]);
  await put('mine', {});
  for (const key of [other.operator_key, operator.operator_test_key])
    expect((await ask('GET', `/v1/marketplace/collections/mine`, undefined, key)).status).toBe(404);
  for (const key of [one.secret_key, one.publishable_key])
    expect((await ask('GET', '/v1/marketplace/collections', undefined, key)).status).toBe(403);
  const here = await ask('GET', `/v1/store?store_id=${two.store_id}`, undefined, one.publishable_key);
  expect([here.status, here.body.store.id]).toEqual([200, one.store_id]);
});

test('the list is sorted by slug, in pages', async () => {
  const marketplace = await openOperator([one]);
  const slugs = ['a', 'b', 'c', 'd', 'e'];
  await Promise.all(slugs.map((slug) => put(slug, {}, marketplace.operator_key)));
  const found: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await ask(
      'GET',
      `/v1/marketplace/collections?limit=2${cursor && `&cursor=${cursor}`}`,
      undefined,
      marketplace.operator_key,
    );
    found.push(...body.collections.map(({ slug }: { slug: string }) => slug));
    cursor = body.pagination.next_cursor;
    if (!body.pagination.has_more) break;
  }
  expect(found).toEqual(slugs);
});
