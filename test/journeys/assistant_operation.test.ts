// The guide's table of operations holds: each that it calls supported is performed over its protocol here, and its answer is as
// the published schema has it. An operation that the table names and no story performs fails, and the other way round.
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  ADDRESS,
  BUYER,
  call,
  connect,
  type Document,
  judged,
  openShop,
  paidWith,
  type Shop,
  tokenFor,
} from '#test/edge/assistant/mcp/shop.ts';
import { UCP_AGENT } from '#test/edge/assistant/ucp/platform.ts';
import { acpSchemaErrors, hasAcpSchemas } from '#test/support/acp_schema.ts';
import { DATA_FOLDER } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';
import { allowLocalVerifier } from '#test/support/session.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const GUIDE = readFileSync(fileURLToPath(import.meta.resolve('#edge/pages/guide/assistants.md')), 'utf8');

interface Row {
  readonly mcp: string;
  readonly ucp: string;
  readonly acp: string;
  readonly state: string;
}

const rows = (): readonly Row[] => {
  const table = GUIDE.slice(GUIDE.indexOf('| MCP tool | UCP operation |')).split('\n\n')[0]!;
  return table
    .split('\n')
    .slice(2)
    .map((line) => {
      const [mcp = '', ucp = '', acp = '', state = ''] = line
        .split('|')
        .slice(1)
        .map((cell) => cell.trim());
      return { mcp, ucp, acp, state };
    });
};

/** `POST /carts` of a cell; an address alone is read. */
const operationsIn = (cell: string): string[] =>
  [...cell.matchAll(/(?:(GET|POST|PUT|PATCH) )?`(\/[^`]+)`/g)].map(([, verb = 'GET', path]) => `${verb} ${path}`);

const supported = (): readonly Row[] => rows().filter(({ state }) => !state.startsWith('not supported'));

const named = {
  mcp: () => supported().flatMap(({ mcp }) => [...mcp.matchAll(/`([a-z_]+)`/g)].map(([, tool]) => tool!)),
  ucp: () => supported().flatMap(({ ucp }) => operationsIn(ucp)),
  // The platform itself serves the webhook: `ucp_order` and `acp_order` tests receive it.
  acp: () =>
    supported()
      .filter(({ acp, state }) => state !== 'MCP and UCP' && !acp.includes('on the platform'))
      .flatMap(({ acp }) => operationsIn(acp)),
};

allowLocalVerifier();
let stoa: Stoa;
let shop: Shop;
beforeAll(async () => {
  stoa = await sharedStoa();
  shop = await openShop(stoa);
  const { merchant } = shop;
  await eventually(async () => {
    const { products } = (await merchant.test('GET', '/v1/products')).body;
    expect(products).toHaveLength(2);
  });
});

/** UCP's schema of each operation's answer. */
const UCP_SCHEMAS = [
  [/search/, 'shopping/catalog_search.json#/$defs/search_response'],
  [/lookup/, 'shopping/catalog_lookup.json#/$defs/lookup_response'],
  [/product/, 'shopping/catalog_lookup.json#/$defs/get_product_response'],
  [/cart/, 'shopping/cart.json'],
  [/checkout/, 'shopping/checkout.json'],
  [/order/, 'shopping/order.json'],
] as const;

const lines = (quantity: number) => [{ item: { id: shop.mug }, quantity }];

/** The operations that MCP and UCP share, each by what performs it. */
const shopBy = async (
  act: (operation: string, id: string | null, body?: object) => Promise<Document>,
): Promise<void> => {
  await act('search_catalog', null, { query: 'mug' });
  await act('lookup_catalog', null, { ids: [shop.mug] });
  await act('get_product', null, { id: shop.shirt });
  const cart = await act('create_cart', null, { line_items: lines(1), buyer: BUYER });
  await act('update_cart', cart.id, { line_items: lines(2), buyer: BUYER });
  await act('get_cart', cart.id);
  const over = await act('create_checkout', null, { line_items: lines(1) });
  await act('cancel_checkout', over.id);
  const sent = {
    line_items: lines(1),
    buyer: BUYER,
    fulfillment: { methods: [{ type: 'shipping', destinations: [ADDRESS] }] },
  };
  const started = await act('create_checkout', null, sent);
  const [method] = started.fulfillment.methods;
  const groups = [{ id: method.groups[0].id, selected_option_id: method.groups[0].options[0].id }];
  await act('update_checkout', started.id, { ...sent, fulfillment: { methods: [{ id: method.id, groups }] } });
  await act('get_checkout', started.id);
  const token = await tokenFor(stoa, shop, started.id);
  const { order } = await act('complete_checkout', started.id, paidWith(token));
  await act('get_order', order.id);
  await act('cancel_cart', cart.id);
};

/** The argument that a tool's body is. */
const WRAPPED = { catalog: 'catalog', product: 'catalog', cart: 'cart', checkout: 'checkout' } as const;

describe('of the table in the guide, all that is supported is so over', () => {
  test('MCP', async () => {
    const client = await connect(shop, shop.merchant.keys.secret_test_key);
    const done = new Set<string>();
    const perform = async (tool: string, args: object): Promise<Document> => {
      const document = await call(client, tool, args);
      const schema = UCP_SCHEMAS.find(([name]) => name.test(tool));
      if (schema) judged(schema[1], document);
      done.add(tool);
      return document;
    };
    await shopBy((tool, id, body) => {
      const name = WRAPPED[tool.split('_')[1] as keyof typeof WRAPPED];
      return perform(tool, { ...(id !== null && { id }), ...(body && { [name]: body }) });
    });
    // One of our own: no published schema tells of it.
    const cart = await perform('create_cart', { cart: { line_items: lines(1) } });
    const { options } = await perform('get_shipping_options', { cart_id: cart.id, destination: ADDRESS });
    expect(options.length).toBeGreaterThan(0);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).join()).toMatch(/llms\.txt.*returns|returns.*llms\.txt/s);
    await client.close();
    expect([...done].sort()).toEqual(named.mcp().sort());
  });

  test('UCP', async () => {
    const done = new Set<string>();
    const perform = async (operation: string, path: string, body?: object): Promise<Document> => {
      const [verb] = operation.split(' ');
      const answer = await fetch(`${shop.base}${path}`, {
        method: verb!,
        headers: {
          Authorization: `Bearer ${shop.merchant.keys.secret_test_key}`,
          ...UCP_AGENT,
          ...(verb !== 'GET' && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
        },
        ...(verb !== 'GET' && { body: JSON.stringify(body ?? {}) }),
      });
      const document = (await answer.json()) as Document;
      expect(answer.status, `${operation} ${JSON.stringify(document)}`).toBeLessThan(300);
      done.add(operation);
      return document;
    };
    await shopBy(async (tool, id, body) => {
      const row = supported().find(({ mcp }) => mcp === `\`${tool}\``)!;
      const [operation] = operationsIn(row.ucp);
      const path = operation!.split(' ')[1]!.replace('{id}', id ?? '');
      const document = await perform(operation!, `/ucp${path}`, body);
      judged(UCP_SCHEMAS.find(([name]) => name.test(tool))![1], document);
      return document;
    });
    const profile = await perform('GET /.well-known/ucp', '/.well-known/ucp');
    judged('ucp.json#/$defs/business_schema', profile.ucp);
    expect([...done].sort()).toEqual(named.ucp().sort());
  });

  test('ACP', async () => {
    const done = new Set<string>();
    const perform = async (
      operation: string,
      schema: readonly [Parameters<typeof acpSchemaErrors>[0], string],
      { id = '', body }: { readonly id?: string; readonly body?: object } = {},
    ): Promise<Document> => {
      const [verb, template] = operation.split(' ');
      const path = template!.replace('{id}', id);
      const answer = await fetch(`${shop.base}${path.startsWith('/.well-known') ? path : `/acp${path}`}`, {
        method: verb!,
        headers: {
          Authorization: `Bearer ${shop.merchant.keys.secret_test_key}`,
          'API-Version': '2026-04-17',
          'User-Agent': 'Parrot/1.0',
          ...(verb === 'POST' && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
        },
        ...(verb === 'POST' && { body: JSON.stringify(body ?? {}) }),
      });
      const document = (await answer.json()) as Document;
      expect(answer.status, `${operation} ${JSON.stringify(document)}`).toBeLessThan(300);
      if (hasAcpSchemas) expect(acpSchemaErrors(...schema, document), operation).toEqual([]);
      done.add(operation);
      return document;
    };
    const session = ['agentic_checkout', 'CheckoutSession'] as const;
    const items = { line_items: [{ id: shop.mug, quantity: 1 }], currency: 'usd', capabilities: {} };
    const over = await perform('POST /checkout_sessions', session, { body: items });
    await perform('POST /checkout_sessions/{id}/cancel', session, { id: over.id });
    const { id } = await perform('POST /checkout_sessions', session, { body: items });
    const address = {
      name: 'Ada Mwangi',
      line_one: ADDRESS.street_address,
      city: ADDRESS.address_locality,
      state: '',
      country: ADDRESS.address_country,
      postal_code: '00100',
    };
    const placed = await perform('POST /checkout_sessions/{id}', session, {
      id,
      body: { buyer: BUYER, fulfillment_details: { name: 'Ada Mwangi', address } },
    });
    const option = placed.fulfillment_options.find(({ type }: Document) => type === 'shipping');
    const item_ids = placed.line_items.map((line: Document) => line.id);
    await perform('POST /checkout_sessions/{id}', session, {
      id,
      body: { selected_fulfillment_options: [{ type: 'shipping', option_id: option.id, item_ids }] },
    });
    const token = await perform(
      'POST /agentic_commerce/delegate_payment',
      ['delegate_payment', 'DelegatePaymentResponse'],
      {
        body: {
          payment_method: {
            type: 'card',
            card_number_type: 'fpan',
            number: '4242424242424242',
            display_card_funding_type: 'credit',
            metadata: {},
          },
          allowance: {
            reason: 'one_time',
            max_amount: 100_000,
            currency: 'usd',
            checkout_session_id: id,
            merchant_id: shop.merchant.keys.store_id,
            expires_at: new Date(Date.now() + 600_000).toISOString(),
          },
          risk_signals: [],
          metadata: {},
        },
      },
    );
    const credential = { type: 'spt', token: token.id };
    await perform('POST /checkout_sessions/{id}/complete', ['agentic_checkout', 'CheckoutSessionWithOrder'], {
      id,
      body: { payment_data: { handler_id: 'card_token', instrument: { type: 'card', credential } } },
    });
    await perform('GET /checkout_sessions/{id}', session, { id });
    await perform('GET /.well-known/acp.json', ['agentic_checkout', 'DiscoveryResponse']);
    await perform('GET /feed', ['feed', 'ProductsResponse']);
    expect([...done].sort()).toEqual([...new Set(named.acp())].sort());
  });
});

test('answers operations outside of the table as unknown', async () => {
  const missing = rows()
    .filter(({ state }) => state.startsWith('not supported') || state === 'MCP and UCP')
    .flatMap(({ acp }) => operationsIn(acp));
  expect(missing.length).toBeGreaterThan(5);
  for (const operation of missing) {
    const [verb, path] = operation.split(' ');
    const answer = await fetch(`${shop.base}/acp${path!.replace('{id}', randomUUID())}`, {
      method: verb!,
      headers: {
        Authorization: `Bearer ${shop.merchant.keys.secret_test_key}`,
        'API-Version': '2026-04-17',
        ...(verb !== 'GET' && { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() }),
      },
      ...(verb !== 'GET' && { body: '{}' }),
    });
    expect([operation, answer.status]).toEqual([operation, 404]);
  }
});

const PROTOCOLS = join(DATA_FOLDER, '../protocols');

/** `POST /checkout_sessions/{id}`, of every operation that a protocol publishes. */
const publishedOperations = (): string[] => {
  const named = (verb: string, path: string): string => `${verb.toUpperCase()} ${path.replace(/\{\w+\}/g, '{id}')}`;
  const ucp = readFileSync(join(PROTOCOLS, 'ucp-2026-04-08/source/services/shopping/rest.openapi.json'), 'utf8');
  const paths = Object.entries((JSON.parse(ucp) as { paths: Record<string, object> }).paths);
  const folder = join(PROTOCOLS, 'acp-2026-04-17/spec/2026-04-17/openapi');
  const acp = readdirSync(folder).flatMap((name) => {
    let path = '';
    return readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .flatMap((line) => {
        path = /^ {2}(\/\S*):$/.exec(line)?.[1] ?? path;
        const verb = /^ {4}(get|post|put|patch|delete):$/.exec(line)?.[1];
        return verb ? [named(verb, path)] : [];
      });
  });
  const verbsOf = (operations: object): string[] => Object.keys(operations).filter((name) => name !== 'parameters');
  return [...paths.flatMap(([path, operations]) => verbsOf(operations).map((verb) => named(verb, path))), ...acp];
};

describe('the table', () => {
  const text = GUIDE.replaceAll('`', '');

  test('lists every tool', async () => {
    const client = await connect(shop, null);
    const { tools } = await client.listTools();
    await client.close();
    expect(tools.length).toBeGreaterThan(10);
    expect(tools.map(({ name }) => name).filter((name) => !text.includes(`| ${name} |`))).toEqual([]);
  });

  test.skipIf(!existsSync(PROTOCOLS))('lists every operation that the protocols publish', () => {
    const operations = publishedOperations();
    expect(operations.length).toBeGreaterThan(25);
    expect(operations.filter((operation) => !text.includes(operation))).toEqual([]);
  });
});
