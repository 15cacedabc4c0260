// Writes the documentation's parts: a schema and an example a message, an operation an endpoint, a tag a service.
import type { Contract, EndpointShape, FieldShape, FieldType, MessageShape } from './contract.ts';
import { type Direction, heading, nameOf, naturalBounds } from './direction.ts';
import { type EventMessage, envelopeExample, eventMessages } from './event_table.ts';
import { exampleOf } from './example.ts';
import { securityOf } from './security.ts';

type Json = Record<string, unknown>;

export const openapiOf = (contract: Contract): string => {
  const schemas = new Map<string, Json>();
  const examples = new Map<string, Json>();
  for (const { rpc, bodyFields } of contract.endpoints) {
    if (bodyFields.length > 0) {
      collect(rpc.request, 'input', schemas, bodyFields);
      examples.set(nameOf(rpc.request, 'input'), { value: exampleOf(rpc.request, 'input', bodyFields) });
    }
    collect(rpc.response, 'output', schemas);
    examples.set(nameOf(rpc.response, 'output'), { value: exampleOf(rpc.response, 'output') });
  }
  const events = eventMessages(contract);
  for (const { message } of events)
    for (const { shape } of message.fields) if (shape.kind === 'message') collect(shape.message, 'output', schemas);
  const envelope = contract.files.flatMap((file) => file.messages).find((message) => message.name === 'EventEnvelope');
  if (envelope) collect(envelope, 'output', schemas);
  const error = contract.files.flatMap((file) => file.messages).find((message) => message.name === 'ErrorObject');
  if (error) collect(error, 'output', schemas);
  const operations = new Map(
    contract.endpoints.map((endpoint) => [`${endpoint.rpc.service}/${endpoint.rpc.name}`, operationOf(endpoint)]),
  );
  const used = new Set(contract.endpoints.map(({ rpc }) => rpc.service));
  const tags = contract.files
    .flatMap((file) => file.services)
    .filter((service) => used.has(service.name))
    .sort((a, b) => placeOf(a.name) - placeOf(b.name))
    .map((service) => ({ name: tagOf(service.name), description: service.comment }));
  return `${[
    heading('stoa/v1/*.proto'),
    "import type { Json } from '#proto/route.ts';",
    '',
    `export const tags: readonly Json[] = ${literal(tags)};`,
    '',
    '/** By `Service/Method`. */',
    `export const operations: Readonly<Record<string, Json>> = ${table(operations)};`,
    '',
    `export const schemas: Readonly<Record<string, Json>> = ${table(schemas)};`,
    '',
    `export const examples: Readonly<Record<string, Json>> = ${table(examples)};`,
    '',
    '/** What receivers of webhooks are sent, by the type of event. */',
    `export const webhooks: Readonly<Record<string, Json>> = ${table(new Map(events.map((event) => [event.type, webhookOf(event)])))};`,
  ].join('\n')}\n`;
};

/** The request that a webhook's receiver gets: the envelope with the resource in it. */
const webhookOf = ({ type, when, message }: EventMessage): Json => {
  const parts = message.fields.map((field) => shapeOf(field.shape, 'output'));
  const object = parts.length === 1 ? parts[0] : { allOf: parts };
  const shown = {
    type: { type: 'string', const: type },
    data: { type: 'object', required: ['object'], properties: { object } },
  };
  return {
    post: {
      operationId: webhookName(type),
      summary: type,
      // Signed, not keyed: the receiver checks `X-Svc-Signature`.
      security: [],
      description: when,
      parameters: [ref('parameters', 'WebhookSignature'), ref('parameters', 'WebhookId')],
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { allOf: [ref('schemas', 'EventEnvelope'), { type: 'object', properties: shown }] },
            example: envelopeExample(type, message),
          },
        },
      },
      responses: {
        '2XX': { description: 'The event has arrived. Anything else, and silence for 30 seconds, is tried again.' },
      },
    },
  };
};

/** `order.created` → `receiveOrderCreated`. */
const webhookName = (type: string): string =>
  `receive${type.replace(/(?:^|[._])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`;

const literal = (value: unknown): string => JSON.stringify(value, null, 2);

/** One line an entry: a change of one endpoint is a change of one line. */
const table = (entries: ReadonlyMap<string, unknown>): string =>
  `{\n${[...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)},`)
    .join('\n')}\n}`;

/** Shoppers' resources in the order in which a shopper meets them, then those of merchants, developers and operators. */
const TAG_ORDER = [
  'Store Catalog Category Collection Search Recommendation Pricing Promotion Auth Account Wishlist Cart Shipping',
  'Agent Order Payment Value Review Return Dispute Message Messaging Thread Content Blog Lookbook Rfq B2b',
  'Inventory PriceList TaxRate ShippingProvider Ingestion Feed Channel Connect Marketplace Checkout CheckoutPayment Operator',
  'Staff StaffSession Webhook WebhookLog Sandbox Mail Console Meta',
].flatMap((line) => line.split(' '));

/** Services without a place in the order stand before the first that is not a shopper's. */
const placeOf = (service: string): number => {
  const place = TAG_ORDER.indexOf(service);
  return place < 0 ? TAG_ORDER.indexOf('Inventory') - 0.5 : place;
};

/** `PriceList` → `Price list`. */
const tagOf = (service: string): string =>
  service.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const ref = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` });

/** Adds a message and those that it holds. A request's schema shows the body's fields alone. */
const collect = (
  message: MessageShape,
  direction: Direction,
  schemas: Map<string, Json>,
  fields = message.fields,
): void => {
  const name = nameOf(message, direction);
  if (schemas.has(name)) return;
  const required = fields
    .filter((field) => (direction === 'input' ? field.required : !field.absent))
    .map(({ name }) => name);
  schemas.set(name, {
    type: 'object',
    ...(message.comment ? { description: message.comment } : {}),
    properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field, direction)])),
    ...(required.length > 0 ? { required } : {}),
    ...(direction === 'input' ? choiceOf(message) : {}),
  });
  for (const { shape } of fields) if (shape.kind === 'message') collect(shape.message, direction, schemas);
};

/** Which fields are given together, as JSON Schema says it. A field that is null is as good as left out. */
const choiceOf = ({ oneOf, anyOf, fields }: MessageShape): Json => {
  const given = (names: readonly string[]): Json => {
    const nullables = names.filter((name) => fields.some((field) => field.name === name && field.nullable));
    return {
      required: names,
      ...(nullables.length > 0
        ? { properties: Object.fromEntries(nullables.map((name) => [name, { not: { type: 'null' } }])) }
        : {}),
    };
  };
  return {
    ...(oneOf.length > 0 ? { oneOf: oneOf.map(given) } : {}),
    ...(anyOf.length > 0 ? { anyOf: anyOf.map(given) } : {}),
  };
};

const schemaOf = (field: FieldShape, direction: Direction): Json => {
  const one = shapeOf(field.shape, direction);
  const { min, max, unique, keyMax } = field.size;
  const sized = (low: string, high: string): Json => ({
    ...(min === undefined ? {} : { [low]: min }),
    ...(max === undefined ? {} : { [high]: max }),
  });
  const many =
    field.many === 'list'
      ? { type: 'array', items: one, ...sized('minItems', 'maxItems'), ...(unique ? { uniqueItems: true } : {}) }
      : field.many === 'map'
        ? {
            type: 'object',
            additionalProperties: direction === 'input' && field.nullableValues ? nullable(one) : one,
            ...sized('minProperties', 'maxProperties'),
            ...(keyMax === undefined ? {} : { propertyNames: { maxLength: keyMax } }),
          }
        : one;
  return {
    ...(field.nullable ? nullable(many) : many),
    ...(field.comment ? { description: field.comment } : {}),
    ...(field.fallback === undefined ? {} : { default: field.fallback }),
    ...(field.example === undefined ? {} : { examples: [field.example] }),
  };
};

const nullable = (schema: Json): Json => {
  if (schema.$ref) return { anyOf: [schema, { type: 'null' }] };
  if (schema.type === undefined) return schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(schema.enum) ? { enum: [...schema.enum, null] } : {}),
  };
};

const shapeOf = (shape: FieldType, direction: Direction): Json => {
  switch (shape.kind) {
    case 'text':
      if (shape.among) return { type: 'string', enum: shape.among };
      return {
        type: 'string',
        ...(shape.min === undefined ? {} : { minLength: shape.min }),
        ...(shape.max === undefined ? {} : { maxLength: shape.max }),
        ...(shape.pattern === undefined ? {} : { pattern: shape.pattern }),
        ...formatOf(shape.format),
      };
    case 'number':
      if (!shape.range) return { type: 'number', ...naturalBounds(shape, direction), ...shape.bounds };
      return { type: 'integer', format: shape.range.maximum! > 2 ** 32 ? 'int64' : 'int32', ...shape.bounds };
    case 'boolean':
      return { type: 'boolean' };
    case 'bytes':
      return { type: 'string', contentEncoding: 'base64' };
    case 'message':
      return ref('schemas', nameOf(shape.message, direction));
    case 'object':
      return { type: 'object', additionalProperties: true };
    case 'array':
      return { type: 'array', items: {} };
    case 'any':
      return {};
  }
};

const operationOf = (endpoint: EndpointShape): Json => {
  const { rpc, verb, access, body } = endpoint;
  return {
    operationId: endpoint.operation,
    tags: [tagOf(rpc.service)],
    summary: endpoint.summary || rpc.name.replace(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
    description: [rpc.comment, ...demands(endpoint)].filter(Boolean).join('\n\n'),
    security: securityOf(access),
    parameters: [
      ...endpoint.params.map((field) => parameterOf(field, 'path')),
      ...endpoint.query.map((field) => parameterOf(field, 'query')),
      ...(access.merchant ? [ref('parameters', 'Merchant')] : []),
      ...endpoint.headers
        .filter(({ header }) => !SENT_BY_BROWSERS.includes(header))
        .map((field) => parameterOf(field, 'header')),
      ...headersOf(endpoint).map((name) => ref('parameters', name)),
    ],
    ...(body ? { requestBody: requestBodyOf(endpoint) } : {}),
    responses: {
      [endpoint.status]: successOf(endpoint),
      ...(verb === 'GET' ? { 304: ref('responses', 'NotModified') } : {}),
      ...errorsOf(endpoint),
    },
  };
};

/** Credentials that the caller must send, and headers that have no effect, in words. */
const demands = ({ access, verb, limit }: EndpointShape): string[] => [
  ...(verb !== 'GET' && isAuth(limit) ? ['An `Idempotency-Key` has no effect: a repeated call runs again.'] : []),
  ...(access.session === 'customer'
    ? ['Needs a customer session: exactly one of `x-auth-token`, `x-external-auth`, `x-idp-token`.']
    : []),
  ...(access.session === 'when_named' ? ['Needs a customer session when it names a `customer_id`.'] : []),
  ...(access.session === 'or_store'
    ? ['A shopper needs a customer session; a secret key without one acts as the store.']
    : []),
  ...(access.session === 'named_or_store'
    ? ['A shopper needs a customer session to name a `customer_id`; a secret key names any customer.']
    : []),
  ...(access.signed
    ? ['The request is signed, and carries an idempotency key. In a staff session it needs no signature.']
    : []),
  ...(access.wholesale ? ['Of a wholesale store; any other is answered 403.'] : []),
  ...(access.scope === '' ? [] : [`An access token needs the scope \`${access.scope}\`.`]),
  ...(access.live_only ? ['Writes what both environments share: only with a live key.'] : []),
];

/** Headers that every client sends without being asked. */
const SENT_BY_BROWSERS = ['host', 'user-agent'];

const parameterOf = (field: FieldShape, place: 'path' | 'query' | 'header'): Json => {
  const { description, examples: _, ...schema } = schemaOf({ ...field, nullable: false }, 'input');
  const required = place === 'path' || field.required;
  return {
    name: field.header || field.name,
    in: place,
    ...(required ? { required } : {}),
    ...(description ? { description } : {}),
    schema,
    ...(field.many === 'list' ? { style: 'form', explode: false } : {}),
    ...(required ? example(field.example) : suggestion(field, schema)),
  };
};

const example = (value: unknown): Json => (value === undefined ? {} : { example: value });

/** A value that the interactive page offers for an optional parameter, and does not send before the reader ticks it. */
const suggestion = ({ example, fallback }: FieldShape, schema: Json): Json => {
  const value = example ?? fallback ?? (Array.isArray(schema.enum) ? schema.enum[0] : undefined);
  return value === undefined ? {} : { examples: { example: { value, 'x-disabled': true } } };
};

const isAuth = (limit: string): boolean => limit === 'auth' || limit === 'reset';

/** Whether a server may call in the name of a shopper, whose address and session it then tells. */
const isForShopper = ({ access }: EndpointShape): boolean => access.key !== 'none' && access.key !== 'staff';

const headersOf = (endpoint: EndpointShape): string[] => {
  const { verb, access, limit } = endpoint;
  const network = endpoint.network && isForShopper(endpoint);
  return [
    ...(access.session === 'none' ? [] : ['AuthToken', 'ExternalAuth', 'IdpToken']),
    ...(access.session === 'when_named' || network ? ['SessionId'] : []),
    ...((isAuth(limit) && isForShopper(endpoint)) || network ? ['ShopperAddress'] : []),
    ...(access.signed ? ['RequiredIdempotencyKey', 'Timestamp', 'Signature'] : []),
    ...(verb !== 'GET' && !access.signed && access.key !== 'none' && !isAuth(limit) ? ['IdempotencyKey'] : []),
    ...(endpoint.language && isForShopper(endpoint) ? ['AcceptLanguage'] : []),
    ...(verb === 'GET' ? ['IfNoneMatch'] : []),
  ];
};

/** An id in the place of a URL is no URI. */
const formatOf = (format: string | undefined): Json =>
  format === undefined || format === 'media-url' ? {} : { format: format === 'http-url' ? 'uri' : format };

const FILE = { type: 'string', format: 'binary' };

/** The body of an upload: a form with the file, or the file itself. */
const FILE_BODY: Json = {
  required: true,
  content: {
    'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { file: FILE } } },
    '*/*': { schema: FILE },
  },
};

const requestBodyOf = ({ rpc, verb, body, bodyFields, fileName }: EndpointShape): Json => {
  if (fileName) return FILE_BODY;
  const name = nameOf(rpc.request, 'input');
  const json =
    bodyFields.length > 0
      ? { schema: ref('schemas', name), examples: { example: ref('examples', name) } }
      : { schema: { type: 'object' } };
  return {
    required:
      verb === 'PUT' ||
      verb === 'PATCH' ||
      body!.raw.length > 0 ||
      rpc.request.oneOf.length + rpc.request.anyOf.length > 0 ||
      bodyFields.some((field) => field.required),
    content: {
      'application/json': json,
      ...Object.fromEntries(
        body!.raw.filter((type) => type !== 'application/json').map((type) => [type, { schema: { type: 'string' } }]),
      ),
    },
  };
};

const successOf = ({ rpc, verb, access, produces, language }: EndpointShape): Json => {
  const name = nameOf(rpc.response, 'output');
  const json = { schema: ref('schemas', name), examples: { example: ref('examples', name) } };
  const headers = [
    'X-Request-Id',
    ...(access.key === 'none'
      ? []
      : ['Svc-Environment', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']),
    ...(language && access.key !== 'none' ? ['Content-Language'] : []),
    ...(verb === 'GET' ? ['ETag', 'Cache-Control', 'X-Cache'] : []),
  ];
  return {
    description: 'Success.',
    headers: Object.fromEntries(headers.map((header) => [header, ref('headers', header)])),
    content: { [produces]: produces === 'application/json' ? json : { schema: { type: 'string' } } },
  };
};

const errorsOf = ({ verb, access, limit, body, params }: EndpointShape): Json => {
  const guarded = access.key !== 'none';
  const errors: Record<number, [string, boolean]> = {
    400: ['InvalidRequest', true],
    401: ['Unauthorized', guarded],
    403: ['Forbidden', guarded],
    404: ['NotFound', params.length > 0 || body !== null],
    409: ['Conflict', verb !== 'GET'],
    413: ['PayloadTooLarge', body !== null],
    415: ['UnsupportedMediaType', body !== null],
    429: ['RateLimited', limit !== 'none'],
    500: ['ServerError', true],
    503: ['ServiceUnavailable', true],
  };
  const named = Object.entries(errors)
    .filter(([, [, applies]]) => applies)
    .map(([status, [name]]) => [status, ref('responses', name)]);
  return { ...Object.fromEntries(named), default: ref('responses', 'Refused') };
};
