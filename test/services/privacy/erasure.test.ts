// Erases a person whose every text is marked. Looks for the mark in every column of every table, in sealed answers, in every
// stream and in the log of the process.
import { zstdDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { routes } from '#proto/gen/routes.ts';
import { NO_TENANT } from '#runtime/call/call.ts';
import { connect } from '#runtime/nats/library.ts';
import { createLog } from '#runtime/process/log.ts';
import { requireSuccess } from '#test/contracts/owner.ts';
import { ok } from '#test/support/reply.ts';
import { eventually, freshNamespace, serverUrls, testSeal } from '#test/support/server.ts';
import { type Keys, type Stoa, sendTo, startStoa } from '#test/support/stoa.ts';
import { type MarkedPerson, openMarkedPerson, openMarkedShop, tablesWith } from './person.ts';

const MARK = 'zqmarkedperson';
const OTHER = 'zqotherperson';

let stoa: Stoa;
let keys: Keys;
let person: MarkedPerson;
let other: MarkedPerson;
const namespace = freshNamespace();
const lines: string[] = [];

const send = (method: string, path: string, body?: unknown) =>
  requireSuccess(sendTo(stoa.url, method, path, { key: keys.secret_key, ...(body === undefined ? {} : { body }) }));

beforeAll(async () => {
  const log = createLog({ name: 'test', level: 'debug', write: (line: string) => void lines.push(line) });
  stoa = await startStoa({ namespace, log, allowLocal: true });
  keys = await stoa.createStore();
  const { operator_key } = ok(
    await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, { name: 'Mall', stores: [keys.store_id] }),
  );
  const shop = await openMarkedShop(stoa.url, keys, operator_key);
  person = await openMarkedPerson(shop, MARK);
  other = await openMarkedPerson(shop, OTHER, false);
});
afterAll(() => stoa.stop());

/** Texts of sealed answers and mails. */
const sealedTexts = async (): Promise<string[]> => {
  const { sql } = stoa.services.runtime.postgres;
  const seal = testSeal();
  const answers = await sql<{ store: string; environment: string; key: string; answer: Buffer }[]>`
    select store, environment, encode(key, 'hex') as key, answer from runtime.idempotency`;
  const mails = await sql<{ store: string; environment: string; id: string; content: Buffer }[]>`
    select store, environment, id, content from mail.message where content is not null`;
  return [
    ...answers.map(({ store, environment, key, answer }) =>
      seal.open(answer, `idempotency/${store}/${environment}/${key}`),
    ),
    ...mails.map((mail) => JSON.stringify(mail.id)),
  ];
};

const opened = (bytes: Uint8Array): string => {
  try {
    return zstdDecompressSync(bytes).toString();
  } catch {
    return Buffer.from(bytes).toString();
  }
};

/** Streams of this system with messages that contain the mark. */
const streamsWith = async (mark: string): Promise<string[]> => {
  const { hostname, port, username, password } = new URL(serverUrls().nats);
  const connection = await connect({ servers: `${hostname}:${port}`, user: username, pass: password });
  const manager = await connection.jetstreamManager();
  const found: string[] = [];
  for await (const { config, state } of manager.streams.list()) {
    if (!config.name.startsWith(namespace.toUpperCase()) || state.messages === 0) continue;
    for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
      const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
      if (message && opened(message.data).includes(mark)) found.push(`${config.name} ${seq}`);
    }
  }
  await connection.close();
  return found;
};

/** Endpoints of shoppers and their orders without a text of or about a person, and what they take. */
const NO_TEXT: Readonly<Record<string, string>> = {
  'POST /v1/agent/checkout-intents/:id/cancel': 'nothing',
  'POST /v1/auth/logout': 'a token',
  'POST /v1/auth/magic-link/verify': 'a token',
  'POST /v1/auth/refresh': 'a token',
  'POST /v1/auth/reset-password/confirm': 'a token and a password, stored as hashes',
  'POST /v1/auth/update-password': 'passwords, stored as hashes',
  'POST /v1/auth/verify-otp': 'a code, and the address that it was mailed to',
  'POST /v1/b2b/invoices/:id/void': 'nothing',
  'POST /v1/b2b/purchase-orders/:id/cancel': 'nothing',
  'POST /v1/b2b/rfqs/:id/cancel': 'nothing',
  'PATCH /v1/cart': 'a currency',
  'POST /v1/cart/gift-cards': 'a code that the store gave out',
  'PATCH /v1/cart/items/:item_id': 'a quantity',
  'POST /v1/cart/merge': 'ids',
  'POST /v1/cart/promotions': 'a code that the store gave out',
  'POST /v1/disputes/:id/cancel': 'nothing',
  'PATCH /v1/gift-cards/:id': 'a status',
  'POST /v1/messaging/threads/:id/read': 'nothing',
  'PATCH /v1/messaging/threads/:id': 'a status',
  'POST /v1/payments/verify': 'a reference that the house drew',
  'POST /v1/payments/:reference/capture': 'an amount',
  'POST /v1/payments/:reference/void': 'nothing',
  'POST /v1/returns/:id/accept-credit': 'nothing',
  'POST /v1/returns/:id/cancel': 'nothing',
  'POST /v1/reviews/:id/helpful': 'nothing',
  'POST /v1/cart/checkout/:group_id/pay': 'what POST /v1/payments/initialize takes, for the same table',
  'POST /v1/payments/providers': 'the store’s own account',
  'POST /v1/marketplace/payment-providers': 'the operator’s own account',
  'PUT /v1/mail-templates/:kind': 'the store’s own text',
  'POST /v1/mail-templates/:kind/preview': 'the store’s own text, which is not stored',
};
const PERSONAL_SCOPE = /^(?:customers|orders|returns|messaging|reviews|b2b|payments|mails):/;

test('sends the mark to every endpoint that takes text from or about a shopper', () => {
  const personal = routes.filter(
    ({ verb, access }) => !['GET', 'DELETE'].includes(verb) && PERSONAL_SCOPE.test(access.scope),
  );
  const missed = personal.flatMap(({ verb, path }) => {
    const pattern = new RegExp(`^${verb} ${path.replaceAll(/:\w+/g, '[^/]+')}$`);
    return [...person.asked].some((asked) => pattern.test(asked)) ? [] : `${verb} ${path}`;
  });
  expect(missed.toSorted()).toEqual(Object.keys(NO_TEXT).toSorted());
});

test('leaves the mark in no column, no stored answer, no stream and no log, and leaves another person', async () => {
  await eventually(async () =>
    expect(await tablesWith(stoa.services.runtime.postgres.sql, MARK)).toContain('runtime.event'),
  );
  expect((await sealedTexts()).filter((text) => text.includes(MARK)).length).toBeGreaterThan(10);
  const before = await Promise.all(person.orders.map((id) => send('GET', `/v1/orders/${id}`)));

  for (const id of [person.id, person.added]) {
    await send('POST', `/v1/customers/${id}/erase`, { reason: 'Request of 3 May' });
    await eventually(async () => {
      const { erasure } = await send('GET', `/v1/customers/${id}/erasure`);
      expect(erasure.status).toBe('complete');
    }, 60_000);
  }

  expect(await tablesWith(stoa.services.runtime.postgres.sql, MARK)).toEqual([]);
  expect((await sealedTexts()).filter((text) => text.toLowerCase().includes(MARK))).toEqual([]);
  await eventually(async () => expect(await streamsWith(MARK)).toEqual([]), 60_000);
  expect(lines.filter((line) => line.toLowerCase().includes(MARK))).toEqual([]);

  const after = await Promise.all(person.orders.map((id) => send('GET', `/v1/orders/${id}`)));
  expect(after.map(({ order }) => [order.total_amount, order.tax_total])).toEqual(
    before.map(({ order }) => [order.total_amount, order.tax_total]),
  );
  const { data: invoice } = await send('GET', `/v1/b2b/invoices/${person.invoice}`);
  expect(invoice).toMatchObject({ status: 'paid', total: 16 });
  const reviewed = await send('GET', `/v1/reviews/${person.review}`);
  expect(reviewed.review).toMatchObject({ customer_name: 'Customer', body: 'Very good', rejection_reason: 'Erased' });
  const { order } = await send('GET', `/v1/orders/${other.orders[0]}`);
  expect(order.email).toBe(`${OTHER}@example.com`);
  expect((await tablesWith(stoa.services.runtime.postgres.sql, OTHER)).length).toBeGreaterThan(15);
});
