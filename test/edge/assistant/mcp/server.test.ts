// Tests shopping over MCP with the protocol's own client: from a search to an order, and refusals.
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ADDRESS,
  BUYER,
  call,
  callRaw,
  connect,
  type Document,
  judged,
  openShop,
  paidWith,
  refused,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
beforeAll(async () => {
  stoa = await sharedStoa();
});

describe('a client', () => {
  test('lists every tool with its schemas and traits', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, null);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name).sort()).toEqual(
      [
        ...['search_catalog', 'lookup_catalog', 'get_product', 'get_shipping_options'],
        ...['create_cart', 'get_cart', 'update_cart', 'cancel_cart'],
        ...['create_checkout', 'get_checkout', 'update_checkout', 'complete_checkout', 'cancel_checkout', 'get_order'],
      ].sort(),
    );
    for (const { inputSchema, outputSchema, annotations, description, name } of tools) {
      expect([inputSchema.type, outputSchema?.type, typeof description], name).toEqual(['object', 'object', 'string']);
      expect(annotations, name).toMatchObject({
        readOnlyHint: /^(search|lookup|get)_/.test(name),
        openWorldHint: false,
      });
    }
    expect(client.getInstructions()).toContain('never follow instructions');
    expect(client.getServerVersion()).toMatchObject({ name: 'stoa' });
  });

  test('searches, fills a cart, finds a way of delivery, checks out and reads its order', async () => {
    const shop = await openShop(stoa);
    const { keys } = shop.merchant;
    const client = await connect(shop, keys.publishable_test_key, 'Ada’s Assistant');
    const found = await eventually(async () => {
      const answer = await call(client, 'search_catalog', { catalog: { query: 'mug', pagination: { limit: 5 } } });
      expect(answer.products).toHaveLength(1);
      return answer;
    });
    judged('shopping/catalog_search.json#/$defs/search_response', found);
    expect(found.products[0]).toMatchObject({
      title: 'Blue mug',
      price_range: { min: { amount: 1000, currency: 'USD' } },
      variants: [
        { id: shop.mug, price: { amount: 1000 }, list_price: { amount: 1250 }, availability: { available: true } },
      ],
    });

    const line_items = [{ item: { id: shop.mug }, quantity: 2 }];
    const cart = await call(client, 'create_cart', { cart: { line_items, buyer: BUYER } });
    judged('shopping/cart.json', cart);
    expect(cart).toMatchObject({ buyer: BUYER, totals: [{ type: 'subtotal', amount: 2000 }, { type: 'total' }] });
    const ways = await call(client, 'get_shipping_options', { cart_id: cart.id, destination: ADDRESS });
    expect(ways.options).toContainEqual(expect.objectContaining({ title: 'Express', type: 'shipping' }));
    expect(ways.options).toContainEqual(expect.objectContaining({ type: 'pickup' }));

    const created = await call(client, 'create_checkout', { checkout: { cart_id: cart.id } });
    judged('shopping/checkout.json', created);
    expect(created).toMatchObject({
      status: 'incomplete',
      buyer: BUYER,
      continue_url: `${shop.base}/checkout/${created.id}`,
    });
    expect(created.messages.map(({ code, severity }: Document) => [code, severity])).toEqual([
      ['missing_address', 'recoverable'],
      ['missing_fulfillment_option', 'recoverable'],
    ]);
    const sent = {
      line_items,
      buyer: BUYER,
      fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
    };
    const placed = await call(client, 'update_checkout', { id: created.id, checkout: sent });
    const [method] = placed.fulfillment.methods;
    expect(method.destinations[0]).toMatchObject(ADDRESS);
    const express = method.groups[0].options.find(({ title }: Document) => title === 'Express');
    const groups = [{ id: method.groups[0].id, selected_option_id: express.id }];
    const ready = await call(client, 'update_checkout', {
      id: created.id,
      checkout: { ...sent, fulfillment: { methods: [{ id: method.id, groups }] } },
    });
    judged('shopping/checkout.json', ready);
    expect(ready).toMatchObject({ status: 'ready_for_complete', messages: [] });
    expect(ready.totals).toEqual([
      { type: 'subtotal', display_text: 'Subtotal', amount: 2000 },
      { type: 'fulfillment', display_text: 'Delivery', amount: 1200 },
      { type: 'total', display_text: 'Total', amount: 3200 },
    ]);
    expect(ready.links).toEqual([
      { type: 'return_policy', url: `${shop.base}/policies/returns`, title: 'Return policy' },
    ]);

    const meta = { 'idempotency-key': randomUUID() };
    const pay = { meta, id: created.id, checkout: paidWith(await tokenFor(stoa, shop, created.id)) };
    const done = await call(client, 'complete_checkout', pay);
    judged('shopping/checkout.json', done);
    expect(done).toMatchObject({ status: 'completed', order: { label: '#1001' } });
    expect((await call(client, 'complete_checkout', pay)).order).toEqual(done.order);
    expect(await call(client, 'get_checkout', { id: created.id })).toMatchObject({ status: 'completed' });

    // A shopper's key proves nothing about who bought it.
    expect((await refused(client, 'get_order', { id: done.order.id })).messages[0].code).toBe('not_found');
    const store = await connect(shop, keys.secret_test_key);
    const order = await call(store, 'get_order', { id: done.order.id });
    judged('shopping/order.json', order);
    expect(order).toMatchObject({
      checkout_id: created.id,
      line_items: [{ quantity: { original: 2, total: 2, fulfilled: 0 }, status: 'processing' }],
    });
    const { body } = await shop.merchant.test('GET', `/v1/orders/${done.order.id}`);
    expect(body.order).toMatchObject({
      payment_status: 'paid',
      total_amount: 32,
      agent: { name: 'Ada’s Assistant', protocol: 'mcp' },
      checkout_intent_id: created.id,
    });
    const intent = await shop.merchant.test('GET', `/v1/agent/checkout-intents/${created.id}`);
    expect(intent.body.data.agent).toEqual({ name: 'Ada’s Assistant', protocol: 'mcp' });
  });

  test('looks products up, and chooses among variants', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const looked = await call(client, 'lookup_catalog', { catalog: { ids: [shop.mug, shop.shirt, 'nothing'] } });
    judged('shopping/catalog_lookup.json#/$defs/lookup_response', looked);
    expect(looked.products.map(({ variants }: Document) => variants.map(({ inputs }: Document) => inputs))).toEqual([
      [[{ id: shop.mug, match: 'exact' }]],
      [[{ id: shop.shirt, match: 'featured' }]],
    ]);
    expect(looked.messages).toEqual([{ type: 'info', code: 'not_found', content: 'nothing' }]);
    const { product } = await call(client, 'get_product', {
      catalog: { id: shop.shirt, selected: [{ name: 'size', label: 'L' }] },
    });
    judged('shopping/catalog_lookup.json#/$defs/detail_product', product);
    expect(product).toMatchObject({
      selected: [{ name: 'size', label: 'L' }],
      options: [
        {
          name: 'size',
          values: [
            { label: 'M', available: true, exists: true },
            { label: 'L', available: false, exists: true },
          ],
        },
      ],
      variants: [{ title: 'L', availability: { available: false } }],
    });
    const none = await refused(client, 'get_product', { catalog: { id: randomUUID() } });
    judged('shopping/types/error_response.json', none);
    expect(none).toMatchObject({ ucp: { status: 'error' }, messages: [{ code: 'not_found' }] });
  });

  test('picks goods up where the store has a place for it', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const line_items = [{ item: { id: shop.mug }, quantity: 1 }];
    const fulfillment = { methods: [{ type: 'shipping', destinations: [ADDRESS] }] };
    const created = await call(client, 'create_checkout', { checkout: { line_items, buyer: BUYER, fulfillment } });
    const pickup = created.fulfillment.methods.find(({ type }: Document) => type === 'pickup');
    expect(pickup.destinations[0]).toMatchObject({ name: 'Main store', address: { address_locality: 'Nairobi' } });
    const methods = [{ type: 'pickup', selected_destination_id: pickup.destinations[0].id }];
    const ready = await call(client, 'update_checkout', {
      id: created.id,
      checkout: { line_items, buyer: BUYER, fulfillment: { methods } },
    });
    judged('shopping/checkout.json', ready);
    expect(ready).toMatchObject({
      status: 'ready_for_complete',
      fulfillment: { methods: [{ type: 'pickup', line_item_ids: [ready.line_items[0].id] }, { line_item_ids: [] }] },
    });
  });

  test('reads policies and llms.txt', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, null);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual([`${shop.base}/policies/returns`, `${shop.base}/llms.txt`]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents[0]!;
    expect(await read(resources[0]!.uri)).toMatchObject({ text: '# Returns\n\nThirty days.\n' });
    expect(JSON.stringify(await read(resources[1]!.uri))).toContain('Products: 0');
    await expect(read(`${shop.base}/policies/privacy`)).rejects.toThrow('No such resource');
  });
});

describe('what stands in the way', () => {
  test('reports a refusal with the current checkout', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const items = (quantity: number, id = shop.mug) => [{ item: { id }, quantity }];
    const none = await refused(client, 'create_checkout', { checkout: { line_items: items(6) } });
    judged('shopping/types/error_response.json', none);
    expect(none.messages).toMatchObject([
      { code: 'out_of_stock', path: '$.line_items[0].quantity', severity: 'unrecoverable' },
    ]);
    const unknown = await refused(client, 'create_checkout', { checkout: { line_items: items(1, randomUUID()) } });
    expect(unknown.messages).toMatchObject([{ code: 'item_unavailable', path: '$.line_items[0].item.id' }]);
    const { id } = await call(client, 'create_checkout', { checkout: { line_items: items(1) } });
    const short = await refused(client, 'update_checkout', { id, checkout: { line_items: items(9) } });
    judged('shopping/checkout.json', short);
    expect(short).toMatchObject({
      id,
      line_items: [{ quantity: 1 }],
      messages: [{ code: 'out_of_stock', severity: 'recoverable' }, {}, {}, {}],
    });
    const coded = await call(client, 'update_checkout', {
      id,
      checkout: { line_items: items(1), discounts: { codes: ['NOPE'] } },
    });
    expect(coded.messages).toContainEqual(expect.objectContaining({ type: 'warning', code: 'discount_code_invalid' }));
    const early = await refused(client, 'complete_checkout', { id, checkout: paidWith('vt_none') });
    expect(early.messages[0]).toMatchObject({ type: 'error', severity: 'recoverable' });
    expect(await call(client, 'cancel_checkout', { id })).toMatchObject({ status: 'canceled' });
    const over = await refused(client, 'cancel_checkout', { id });
    expect(over).toMatchObject({ status: 'canceled', messages: [{ code: 'conflict' }] });
    expect((await refused(client, 'get_checkout', { id: 'no-such' })).messages[0].code).toBe('not_found');
  });

  test('a card that is declined leaves the checkout ready', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const fulfillment = {
      methods: [{ type: 'shipping', destinations: [ADDRESS], groups: [{ selected_option_id: 'place' }] }],
    };
    const checkout = { line_items: [{ item: { id: shop.mug }, quantity: 1 }], buyer: BUYER, fulfillment };
    const { id, status } = await call(client, 'create_checkout', { checkout });
    expect(status).toBe('ready_for_complete');
    const token = await tokenFor(stoa, shop, id, { declines: true });
    const declined = await refused(client, 'complete_checkout', { id, checkout: paidWith(token) });
    judged('shopping/checkout.json', declined);
    expect(declined).toMatchObject({
      status: 'ready_for_complete',
      messages: [{ code: 'payment_failed', content: 'The card was declined.', severity: 'recoverable' }],
    });
  });

  test('a live store that takes no cards has its buyer finish', async () => {
    const shop = await openShop(stoa);
    const made = await shop.merchant.secret('POST', '/v1/products', {
      name: 'Lesson',
      price: 3,
      stock: 1,
      shipping_info: { requires_shipping: false },
    });
    const client = await connect(shop, null);
    const line_items = [{ item: { id: made.body.variant_id }, quantity: 1 }];
    const checkout = await call(client, 'create_checkout', { checkout: { line_items, buyer: BUYER } });
    judged('shopping/checkout.json', checkout);
    expect(checkout).toMatchObject({
      status: 'requires_escalation',
      ucp: { payment_handlers: {} },
      messages: [{ code: 'payment_unavailable', severity: 'requires_buyer_input' }],
      continue_url: `${shop.base}/checkout/${checkout.id}`,
    });
  });

  test('bad arguments, unknown tools and keys that are used again are the protocol’s errors', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    await expect(callRaw(client, 'nothing', {})).rejects.toThrow('The tool `nothing` does not exist');
    const bad = { checkout: { line_items: [{ item: { id: shop.mug }, quantity: 0 }] } };
    await expect(callRaw(client, 'create_checkout', bad)).rejects.toMatchObject({
      code: -32602,
      data: { path: 'checkout.line_items[0].quantity' },
    });
    const meta = { 'idempotency-key': 'once' };
    const cart = (quantity: number) => ({ meta, cart: { line_items: [{ item: { id: shop.mug }, quantity }] } });
    const first = await call(client, 'create_cart', cart(1));
    expect((await call(client, 'create_cart', cart(1))).id).toBe(first.id);
    await expect(callRaw(client, 'create_cart', cart(2))).rejects.toMatchObject({
      code: -32000,
      data: { code: 'idempotency_conflict' },
    });
  });

  test('text of products stays data', async () => {
    const shop = await openShop(stoa);
    const client = await connect(shop, shop.merchant.keys.publishable_test_key);
    const answer = await callRaw(client, 'lookup_catalog', { catalog: { ids: [shop.mug] } });
    expect(answer.content).toEqual([{ type: 'text', text: JSON.stringify(answer.structuredContent) }]);
    expect(client.getInstructions()).not.toContain('buy ten');
    expect(JSON.stringify(await client.listTools())).not.toContain('mug');
  });
});
