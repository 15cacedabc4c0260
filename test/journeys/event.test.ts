// Checks the documented table of events row by row. Each type, in every documented way, is caused by calls of the API and
// received by a server that checks its signature and its shape.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Value } from '@sinclair/typebox/value';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { EventType } from '#proto/gen/event_map.ts';
import { eventTypes } from '#proto/gen/event_table.ts';
import { DATA_FOLDER } from '#test/support/icecat.ts';
import { eventually } from '#test/support/server.ts';
import { type Stoa, startStoa } from '#test/support/stoa.ts';
import { ROWS } from './event_cause.ts';
import { PAYMENT_ROWS } from './event_payment.ts';
import { type ExpectedEvent, openScene, type Scene } from './event_scene.ts';
import { STORE_ROWS } from './event_store_cause.ts';
import { WHOLESALE_ROWS } from './event_wholesale.ts';

const ALL_ROWS = [...ROWS, ...PAYMENT_ROWS, ...STORE_ROWS, ...WHOLESALE_ROWS];

/** A store's profile is changed by live keys alone, and production's receivers are public: its log tells it here. */
const IN_THE_LOG = ['store.updated'];

const SPECIFICATION = join(DATA_FOLDER, '../spec/000_44ad6525cf04a21f.txt');

/** The types in the table's second column; `.accepted` after `b2b.quote.sent` is `b2b.quote.accepted`. */
const typesOf = (specification: string): string[] => {
  const table = specification.split('### Event types')[1]!.split('\n### ')[0]!;
  const cells = table.split('\n').flatMap((line) => line.match(/^\|[^|]*\|([^|]*)\|/)?.slice(1) ?? []);
  const types: string[] = [];
  for (const name of cells.join(',').match(/[a-z0-9_]*\.[a-z_.]+/g) ?? [])
    types.push(name.startsWith('.') ? types.at(-1)!.replace(/\.[^.]*$/, name) : name);
  return types;
};

let stoa: Stoa;
let scene: Scene;
beforeAll(async () => {
  process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
  stoa = await startStoa({ resolve: async () => ['127.0.0.1'] });
  scene = await openScene(stoa);
});
afterAll(async () => {
  await scene?.close();
  await stoa?.stop();
});

test('every type but the one of production alone has a row', () => {
  const shown = new Set(ALL_ROWS.map(([type]) => type));
  expect([...shown, ...IN_THE_LOG].sort()).toEqual(Object.keys(eventTypes).sort());
});

test.skipIf(!existsSync(SPECIFICATION))("the types include those of the specification's own table", () => {
  const types = typesOf(readFileSync(SPECIFICATION, 'utf8'));
  expect(Object.keys(eventTypes)).toEqual(expect.arrayContaining(types));
});

/** Whether `given` has all of `wanted`; an absent `wanted` requires nothing. */
const includes = (given: object | undefined, wanted: object): boolean =>
  expect.objectContaining(wanted).asymmetricMatch(given ?? {});

/** Deliveries of a type with the expected content. */
const delivered = (type: string, { object, was, store = scene.keys.store_id }: ExpectedEvent) =>
  eventually(() => {
    const ofType = scene.receiver.received.filter(({ event }) => event.type === type && event.store_id === store);
    const found = ofType.find(
      ({ event }) => includes(event.data.object, object) && includes(event.previous_attributes, was ?? {}),
    );
    const objects = ofType.slice(-3).map(({ body }) => body);
    expect(found, `${type}: ${JSON.stringify({ object, was })} of ${objects.join('\n')}`).toBeDefined();
    return found!;
  });

describe('on the wire', () => {
  test.each(ALL_ROWS.map(([type, when, cause]) => ({ type, when, cause })))('$type: $when', async ({ type, cause }) => {
    const { event, headers, body } = await delivered(type, await cause(scene));
    expect(new Webhook(scene.secrets.get(event.store_id)!).verify(body, headers)).toEqual(event);
    expect(event).toMatchObject({ id: expect.stringMatching(/^evt_\d+_/), api_version: 'v1' });
    const { object } = event.data;
    const [problem] = [...Value.Errors(eventTypes[type as EventType].schema, { object, extra: object })];
    expect(problem && `${problem.path} ${problem.message}`, body).toBeUndefined();
  });
});

describe('store.updated', () => {
  test.each([
    ['name', 'name', 'Another name'],
    ['logo', 'logo_url', 'https://pictures.example.com/logo.png'],
    ['branding', 'branding', { colour: '#203040' }],
    ['contact details', 'contact_email', 'shop@example.com'],
    ['contact details', 'contact_phone', '+254712345678'],
    ['base currency', 'currency', 'KES'],
  ])('is told when %s changes (%s)', async (_what, field, value) => {
    const keys = await stoa.createStore();
    const key = keys.secret_key;
    const endpoint = { url: 'https://shop.example/hook', events: ['store.updated'] };
    expect((await stoa.send('POST', '/v1/webhook-endpoints', { key, body: endpoint })).status).toBe(201);
    const before = (await stoa.send('GET', '/v1/store', { key })).body.store;
    expect((await stoa.send('PATCH', '/v1/store', { key, body: { [field]: value } })).status).toBe(200);
    await eventually(async () => {
      const { body } = await stoa.send('GET', '/v1/webhook-events?type=store.updated', { key });
      const [event] = body.webhook_events;
      expect(event?.data.object).toMatchObject({ id: keys.store_id, [field]: value, changed_fields: [field] });
      expect(event.previous_attributes).toMatchObject({ [field]: before[field] });
      // The delivery was attempted: the test's name for this machine is blocked for every event.
      expect(event.deliveries).toMatchObject([
        { status: 'retrying', attempt_log: [{ error: 'The host has no public address.' }] },
      ]);
    });
  });
});
