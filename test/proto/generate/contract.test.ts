// The generator on a proto file, with the real buf: types, schemas, routes, documentation.
import { afterAll, describe, expect, it } from 'vitest';
import { readDescriptors } from '#proto/descriptor.ts';
import type { Json, Route } from '#proto/route.ts';
import { compile } from '#proto/validate.ts';
import { fixtureOf } from '#test/support/proto_fixture.ts';

const shop = fixtureOf({
  part: `
    // The message of both files.
    message Part {
      string sku = 1 [(buf.validate.field).required = true];
      optional int32 weight = 2;
    }
  `,
  shop: `
    import "stoa/v1/part.proto";

    // Things for sale.
    service Shop {
      // Lists things.
      rpc ListThings(ListThingsRequest) returns (ListThingsResponse) {
        option (google.api.http) = {get: "/v1/things"};
        option (stoa.access) = {key: KEY_PUBLISHABLE};
        option (stoa.cache) = CACHE_CATALOG;
        option (stoa.envelope) = "things";
        option (stoa.summary) = "List things";
      }
      rpc GetThing(GetThingRequest) returns (Thing) {
        option (google.api.http) = {get: "/v1/things/{id}"};
        option (stoa.access) = {key: KEY_NONE};
        option (stoa.limit) = LIMIT_NONE;
      }
      rpc CreateThing(CreateThingRequest) returns (CreateThingResponse) {
        option (google.api.http) = {post: "/v1/things" body: "*"};
        option (stoa.access) = {key: KEY_SECRET session: SESSION_CUSTOMER signed: true live_only: true};
        option (stoa.limit) = LIMIT_PAYMENT;
        option (stoa.status) = 201;
        option (stoa.envelope) = "thing";
        option (stoa.body_bytes_max) = 4096;
        option (stoa.raw_body) = "application/x-ndjson";
      }
      rpc DeleteThing(GetThingRequest) returns (Gone) {
        option (google.api.http) = {delete: "/v1/things/{id}"};
        option (stoa.access) = {key: KEY_SECRET_TEST};
      }
      rpc PraiseThing(PraiseThingRequest) returns (Gone) {
        option (google.api.http) = {post: "/v1/things/{id}/praise"};
        option (stoa.access) = {key: KEY_PUBLISHABLE};
      }
      rpc GetSheet(GetThingRequest) returns (Gone) {
        option (google.api.http) = {get: "/v1/things/{id}/sheet.xml"};
        option (stoa.access) = {key: KEY_OPERATOR};
        option (stoa.cache) = CACHE_FEED;
        option (stoa.produces) = "application/xml";
      }
    }

    service ShopDirectory {
      option (stoa.internal) = true;
      rpc Count(Gone) returns (CountResponse);
      rpc Watch(Gone) returns (stream CountResponse);
    }

    message ListThingsRequest {
      int32 limit = 1 [(buf.validate.field).int32 = {gte: 1, lte: 100}];
      repeated string ids = 2 [(buf.validate.field).repeated = {max_items: 2, items: {string: {uuid: true}}}];
      bool featured = 3;
      double min_price = 4 [(stoa.money) = true];
      string sort = 5 [(buf.validate.field).string = {in: ["newest", "name"]}];
      string fields = 6;
    }
    message ListThingsResponse { repeated Thing things = 1; }
    message PraiseThingRequest {
      string id = 1;
      string network = 2 [(stoa.network) = true];
    }
    message GetThingRequest { string id = 1 [(buf.validate.field).string.uuid = true]; }
    // A thing.
    message Thing {
      string id = 1 [(buf.validate.field).string.uuid = true];
      // For people.
      optional string name = 2;
      string note = 3 [(stoa.absent) = true];
      optional int64 total = 4 [(stoa.absent) = true];
      double price = 5 [(stoa.money) = true];
      repeated string tags = 6 [(stoa.nullable) = true];
      google.protobuf.Struct attributes = 7;
      google.protobuf.Value value = 8 [(stoa.json_type) = "string | number"];
      google.protobuf.ListValue anything = 9;
      map<string, string> labels = 10;
      map<string, Part> parts = 11;
      repeated Part list = 12;
      string state = 13 [(buf.validate.field).string = {in: ["new", "used"]}, (stoa.example) = "\\"used\\""];
      string made_at = 14 [(stoa.format) = "date-time"];
    }
    message CreateThingRequest {
      string name = 1 [(buf.validate.field).required = true, (buf.validate.field).string = {min_len: 1, max_len: 5}];
      optional string note = 2;
      double price = 3 [(buf.validate.field).required = true, (stoa.money) = true];
      double delta = 4 [(stoa.money) = true, (buf.validate.field).double = {gte: -5, lt: 5}];
      repeated Part parts = 5 [(buf.validate.field).repeated = {min_items: 1, max_items: 3}];
      google.protobuf.Struct attributes = 6;
      map<string, string> labels = 7 [(buf.validate.field).map = {max_pairs: 2, keys: {string: {max_len: 4}}, values: {string: {max_len: 3}}}];
      string mode = 8 [(stoa.query) = true, (buf.validate.field).string = {in: ["fast", "safe"]}];
      string code = 9 [(buf.validate.field).string.pattern = "^[a-z]{2}$"];
      string currency = 10 [(stoa.format) = "currency"];
      google.protobuf.Value value = 11 [(stoa.json_type) = "string | number | boolean"];
      Part main = 12;
    }
    message CreateThingResponse { Thing thing = 1; }
    message Gone {}
    message CountResponse { int64 count = 1; }
  `,
});
afterAll(shop.remove);

const lines = (text: string): string[] => text.split('\n').map((line) => line.trim());
const routes = (await shop.load('routes.ts')).routes as readonly Route[];
const route = (rpc: string): Route => routes.find((candidate) => candidate.rpc === `Shop/${rpc}`)!;
const parts = (await shop.load('openapi.ts')) as Record<'schemas' | 'examples', Record<string, Json>>;

describe('types', () => {
  const types = lines(shop.read('shop.ts'));

  it.each([
    ['a plain field is always in an answer', 'id: string;'],
    ['an optional one may be null', 'name: string | null;'],
    ['one marked absent may be missing', 'note?: string;'],
    ['an optional one marked absent may be both', 'total?: number | null;'],
    ['a list that may be null', 'tags: readonly string[] | null;'],
    ['a Struct', 'attributes: Record<string, unknown>;'],
    ['json_type overrides', 'value: string | number;'],
    ['a ListValue', 'anything: unknown[];'],
    ['a map of messages', 'parts: Record<string, Part>;'],
    ['a list of messages', 'list: readonly Part[];'],
    ['texts of a set', 'state: "new" | "used";'],
    ['a required field of a request', 'price: number;'],
    ['another is optional and not null', 'code?: string;'],
    ['a nullable one takes null too', 'note?: string | null;'],
    ['a message read and shown has two names', 'parts?: readonly PartInput[];'],
    ['a field of the path is always there', 'id: string;'],
    ['a message without fields', 'export type Gone = Record<never, never>;'],
    ['the map of rpcs', 'CreateThing: { request: CreateThingRequest; response: CreateThingResponse };'],
    ['rpcs of an internal service', 'Count: { request: GoneInput; response: CountResponse };'],
    ['comments', '/** For people. */'],
  ])('%s', (_, line) => expect(types).toContain(line));

  it('leaves streams out of the map of rpcs', () => expect(shop.read('shop.ts')).not.toContain('Watch'));
  it('imports what other files declare', () =>
    expect(types).toContain("import type { Part, PartInput } from './part.ts';"));
  it('says on the first line that the file is generated', () => {
    for (const name of ['shop.ts', 'shop.schema.ts', 'routes.ts', 'openapi.ts']) {
      expect(shop.read(name).split('\n')[0]).toMatch(/^\/\/ Generated /);
    }
  });
});

it('keeps the descriptors of every file, for binary protobuf', () => {
  const { files } = readDescriptors(shop.pathOf('descriptor.binpb.gz'));
  const ours = [...files].filter(({ proto }) => proto.package === 'stoa.v1');
  expect(ours.map(({ messages }) => messages[0]?.typeName)).toEqual(['stoa.v1.Part', 'stoa.v1.ListThingsRequest']);
});

describe('requests', () => {
  const create = compile(route('CreateThing'));
  const good = { name: 'a', price: 1 };

  it.each([
    ['the least', {}],
    ['null where the field is optional', { note: null }],
    ['null where the field may be left out', { delta: null, parts: [{ sku: 's', weight: null }] }],
    ['a length in code points, not UTF-16 units', { name: '🙂🙂🙂🙂🙂' }],
    ['the highest amount', { price: 99_999_999.99 }],
    ['an amount below zero where bounds say so', { delta: -5 }],
    ['a simple type of a free value', { value: true }],
    ['a currency of any letter case', { currency: 'usd' }],
    ['a free object', { attributes: { a: [{ b: null }] } }],
  ])('accepts %s', (_, more) => expect(create({ ...good, ...more })).toMatchObject({ ok: true }));

  it.each([
    [undefined, '', 'The request must be an object.'],
    [[], '', 'The request must be an object.'],
    [{ price: 1 }, 'name', '`name` is required.'],
    [{ ...good, name: null }, 'name', '`name` must not be null.'],
    [{ ...good, name: 3 }, 'name', '`name` must be a string.'],
    [{ ...good, name: '' }, 'name', '`name` must not be empty.'],
    [{ ...good, name: 'abcdef' }, 'name', '`name` must be at most 5 characters.'],
    [{ ...good, price: '1' }, 'price', '`price` must be a number.'],
    [{ ...good, price: Number.POSITIVE_INFINITY }, 'price', '`price` must be a number.'],
    [{ ...good, price: -0.01 }, 'price', '`price` must be at least 0.'],
    [{ ...good, price: 100_000_000 }, 'price', '`price` must be at most 99999999.99.'],
    [{ ...good, delta: 5 }, 'delta', '`delta` must be less than 5.'],
    [{ ...good, parts: [] }, 'parts', '`parts` must have at least 1 entry.'],
    [{ ...good, parts: {} }, 'parts', '`parts` must be an array.'],
    [{ ...good, parts: [{ sku: 's' }, { weight: 1 }] }, 'parts[1].sku', '`parts[1].sku` is required.'],
    [{ ...good, parts: [{ sku: 's', weight: 1.5 }] }, 'parts[0].weight', '`parts[0].weight` must be an integer.'],
    [
      { ...good, parts: [{ sku: 's', weight: 2 ** 31 }] },
      'parts[0].weight',
      '`parts[0].weight` must be at most 2147483647.',
    ],
    [{ ...good, parts: [null] }, 'parts[0]', '`parts[0]` must not be null.'],
    [{ ...good, attributes: [] }, 'attributes', '`attributes` must be an object.'],
    [{ ...good, labels: { a: 'b', c: 'd', e: 'f' } }, 'labels', '`labels` must have at most 2 keys.'],
    [{ ...good, labels: { abcde: 'b' } }, 'labels', '`labels` must have keys of at most 4 characters.'],
    [{ ...good, labels: { a: 'abcd' } }, 'labels.a', '`labels.a` must be at most 3 characters.'],
    [{ ...good, labels: { 'a\n': 1 } }, 'labels["a\\n"]', '`labels["a\\n"]` must be a string.'],
    [{ ...good, mode: 'slow' }, 'mode', '`mode` must be one of fast, safe.'],
    [{ ...good, code: 'abc' }, 'code', '`code` must match ^[a-z]{2}$.'],
    [{ ...good, currency: 'US' }, 'currency', '`currency` must be a currency code of three letters.'],
    [{ ...good, value: [] }, 'value', '`value` must be a string or a number or true or false.'],
    [{ price: 'x', code: 1, name: 'a' }, 'price', '`price` must be a number.'],
  ])('refuses %j', (input, param, message) => expect(create(input)).toEqual({ ok: false, param, message }));

  it('takes away what no message names, and leaves free data alone', () => {
    const free = JSON.parse('{"__proto__":{"admin":true},"constructor":1,"x":{"y":2}}');
    const input = {
      ...good,
      admin: true,
      attributes: free,
      main: { sku: 's', admin: true },
      parts: [{ sku: 's', x: 1 }],
    };
    expect(create(input)).toEqual({
      ok: true,
      value: { ...good, attributes: free, main: { sku: 's' }, parts: [{ sku: 's' }] },
    });
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it('asks for the field of the path', () => {
    expect(compile(route('GetThing'))({})).toMatchObject({ ok: false, param: 'id' });
    expect(compile(route('GetThing'))({ id: '7' })).toMatchObject({ message: '`id` must be a UUID.' });
  });
});

describe('routes', () => {
  it('sorts routes by path and verb', () =>
    expect(routes.map(({ verb, path }) => `${verb} ${path}`)).toEqual([
      'GET /v1/things',
      'POST /v1/things',
      'GET /v1/things/:id',
      'DELETE /v1/things/:id',
      'POST /v1/things/:id/praise',
      'GET /v1/things/:id/sheet.xml',
    ]));

  it('say all that the options say', () =>
    expect(route('CreateThing')).toMatchObject({
      access: { key: 'secret', session: 'customer', signed: true, live_only: true, merchant: false },
      limit: 'payment',
      cache: 'none',
      status: 201,
      envelope: 'thing',
      body: { bytes_max: 4096, raw: ['application/x-ndjson'] },
      params: [],
      query: [{ name: 'mode', type: 'text' }],
      produces: 'application/json',
      fields: null,
    }));

  it('sets defaults of options that are left out', () => {
    expect(route('GetThing')).toMatchObject({
      access: { key: 'none', session: 'none', signed: false, live_only: false, merchant: false },
    });
    expect(route('GetThing')).toMatchObject({ limit: 'none', status: 200, envelope: '', body: null, cache: 'none' });
    expect(route('GetThing').params).toEqual([{ name: 'id', type: 'text' }]);
    expect(route('GetSheet')).toMatchObject({ produces: 'application/xml', cache: 'feed', limit: 'plan' });
  });

  it('say how each text of the URL is read', () =>
    expect(route('ListThings').query).toEqual([
      { name: 'limit', type: 'integer' },
      { name: 'ids', type: 'texts' },
      { name: 'featured', type: 'boolean' },
      { name: 'min_price', type: 'number' },
      { name: 'sort', type: 'text' },
      { name: 'fields', type: 'text' },
    ]));

  it('know the names that `fields` may hold', () =>
    expect(route('ListThings').fields).toMatchObject({
      id: true,
      tags: true,
      attributes: 'any',
      value: 'any',
      labels: 'any',
      parts: 'any',
      list: { sku: true, weight: true },
    }));
});

describe('documentation', () => {
  const operation = (rpc: string) =>
    route(rpc).operation as { security: unknown; parameters: unknown[]; responses: object };
  const parameters = (rpc: string): unknown[] => operation(rpc).parameters;
  const header = (name: string) => ({ $ref: `#/components/parameters/${name}` });

  const STAFF_SESSION = { StaffSession: [], DashboardEnvironment: [] };

  it('names what a call must bring', () => {
    expect(operation('CreateThing').security).toEqual([
      { SecretKey: [] },
      { StaffSession: [], DashboardEnvironment: [] },
    ]);
    expect(operation('ListThings').security).toEqual([
      { PublishableKey: [] },
      { SecretKey: [] },
      { OperatorKey: [] },
      STAFF_SESSION,
    ]);
    expect(operation('GetThing').security).toEqual([]);
    expect(operation('DeleteThing').security).toEqual([{ SecretTestKey: [] }, STAFF_SESSION]);
    expect(operation('GetSheet').security).toEqual([{ OperatorKey: [] }, STAFF_SESSION]);
    for (const name of ['RequiredIdempotencyKey', 'Timestamp', 'Signature', 'AuthToken', 'ExternalAuth', 'IdpToken']) {
      expect(parameters('CreateThing')).toContainEqual(header(name));
    }
    expect(parameters('DeleteThing')).toContainEqual(header('IdempotencyKey'));
    expect(parameters('ListThings')).toContainEqual(header('IfNoneMatch'));
  });

  it('tells the caller’s network to the rpc that asks for it, and no caller may say it', () => {
    expect(route('PraiseThing').network).toBe('network');
    expect(route('DeleteThing').network).toBeUndefined();
    for (const name of ['SessionId', 'ShopperAddress']) expect(parameters('PraiseThing')).toContainEqual(header(name));
    expect(operation('PraiseThing')).not.toHaveProperty('requestBody');
    expect(JSON.stringify(parameters('PraiseThing'))).not.toContain('"network"');
  });

  it('names the errors that a call may be answered', () => {
    expect(Object.keys(operation('ListThings').responses)).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '429',
      '500',
      '503',
      'default',
    ]);
    expect(Object.keys(operation('CreateThing').responses)).toContain('415');
    expect(Object.keys(operation('GetThing').responses)).not.toContain('401');
  });

  it('says operation, tag and summary', () =>
    expect(operation('ListThings')).toMatchObject({
      operationId: 'listThings',
      tags: ['Shop'],
      summary: 'List things',
      description: 'Lists things.',
    }));

  it('writes schemas of OpenAPI 3.1', () => {
    const properties = parts.schemas.Thing?.properties as Record<string, Json>;
    expect(properties.name).toEqual({ type: ['string', 'null'], description: 'For people.' });
    expect(properties.state).toEqual({ type: 'string', enum: ['new', 'used'], examples: ['used'] });
    expect(properties.parts).toEqual({ type: 'object', additionalProperties: { $ref: '#/components/schemas/Part' } });
    expect(parts.schemas.Thing?.required).not.toContain('note');
    expect(parts.schemas.CreateThingRequest?.required).toEqual(['name', 'price']);
    expect(parts.schemas.CreateThingRequest?.properties).not.toHaveProperty('mode');
  });

  it('never shows what is internal', () => expect(Object.keys(parts.schemas)).not.toContain('CountResponse'));

  it('gives an example of every body', () => {
    expect(parts.examples.CreateThingResponse).toMatchObject({ value: { thing: { state: 'used', price: 12 } } });
  });
});
