// Changes that name the state that they are based on, over HTTP: posts, lookbooks, promotions and sections of a marketplace.
import { beforeAll, describe, expect, test } from 'vitest';
import { NO_TENANT } from '#runtime/call/call.ts';
import { ok } from '#test/support/reply.ts';
import { type Keys, type Reply, type Stoa, sharedStoa } from '#test/support/stoa.ts';

const CALLERS = 8;

let stoa: Stoa;
let keys: Keys;
let operatorKey: string;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
  const operator = { name: 'Mall', stores: [keys.store_id] };
  operatorKey = ok(await stoa.services.runtime.ask('StoreAdmin/CreateOperator', NO_TENANT, operator)).operator_key;
});

interface Versioned {
  readonly name: string;
  /** The document in an answer. */
  readonly shown: (body: Reply['body']) => Reply['body'];
  /** The field that tests change. */
  readonly field: string;
  /** Makes a record, and returns how to change it. */
  readonly open: () => Promise<{ readonly version: string; readonly change: (body: object) => Promise<Reply> }>;
}

const patched = (name: string, shown: Versioned['shown'], path: string, body: object): Versioned => ({
  name,
  shown,
  field: Object.keys(body)[0]!,
  open: async () => {
    const made = await stoa.send('POST', path, { key: keys.secret_key, body });
    expect(made.status, made.text).toBe(201);
    const { id, updated_at: version } = shown(made.body);
    return { version, change: (change) => stoa.send('PATCH', `${path}/${id}`, { key: keys.secret_key, body: change }) };
  },
});

const IMAGE = 'https://acme.example.com/a.jpg';
let sections = 0;

const RECORDS: readonly Versioned[] = [
  patched('post', ({ post }) => post, '/v1/blog/posts', { title: 'One', body: 'Text' }),
  patched('lookbook', (lookbook) => lookbook, '/v1/lookbooks', {
    title: 'One',
    images: [{ url: IMAGE, hotspots: [] }],
  }),
  patched('promotion', ({ promotion }) => promotion, '/v1/promotions', { name: 'One', type: 'percentage', value: 10 }),
  {
    name: 'section of a marketplace',
    shown: ({ collection }) => collection,
    field: 'name',
    open: async () => {
      const path = `/v1/marketplace/collections/section-${++sections}`;
      const change = (body: object) =>
        stoa.send('PUT', path, { key: operatorKey, body: { placement_kind: 'merchant', items: [], ...body } });
      const made = await change({ name: 'One' });
      expect(made.status, made.text).toBe(200);
      return { version: made.body.collection.updated_at, change };
    },
  },
];

const outcomeOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];
const OUTDATED = [409, 'conflict', 'version'];

describe.each(RECORDS)('a change of a $name', ({ shown, field, open }) => {
  test('refuses an earlier version, and leaves the record as it is', async () => {
    const { version, change } = await open();
    const second = await change({ [field]: 'Two', version });
    expect(second.status, second.text).toBe(200);
    expect(shown(second.body)).toMatchObject({ [field]: 'Two' });
    const refused = await change({ [field]: 'Three', version });
    expect(outcomeOf(refused)).toEqual(OUTDATED);
    const now = shown(second.body).updated_at;
    expect(refused.body.error.message).toContain(now);
    const third = await change({ [field]: 'Three', version: now });
    expect(shown(third.body)).toMatchObject({ [field]: 'Three' });
    expect(shown(third.body).updated_at > now).toBe(true);
  });

  test('needs no version', async () => {
    const { version, change } = await open();
    expect((await change({ [field]: 'Two', version })).status).toBe(200);
    expect(shown((await change({ [field]: 'Three' })).body)).toMatchObject({ [field]: 'Three' });
  });

  test('refuses a version that is no time', async () => {
    const { change } = await open();
    expect(outcomeOf(await change({ [field]: 'Two', version: 'latest' }))).toEqual([400, 'invalid_request', 'version']);
  });

  test('succeeds for one of several callers with the same version', async () => {
    const { version, change } = await open();
    const replies = await Promise.all(
      Array.from({ length: CALLERS }, (_, caller) => change({ [field]: `By ${caller}`, version })),
    );
    const made = replies.filter(({ status }) => status === 200);
    expect(made).toHaveLength(1);
    expect(replies.filter((reply) => reply !== made[0]).map(outcomeOf)).toEqual(Array(CALLERS - 1).fill(OUTDATED));
  });
});

test('a version of a section that is gone is 404', async () => {
  const body = { name: 'One', placement_kind: 'merchant', items: [], version: new Date().toISOString() };
  const reply = await stoa.send('PUT', '/v1/marketplace/collections/gone', { key: operatorKey, body });
  expect(outcomeOf(reply)).toEqual([404, 'not_found', undefined]);
});
