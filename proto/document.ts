// The finished OpenAPI document: the generated parts, and what all endpoints share.
import { examples, schemas, tags, webhooks } from './gen/openapi.ts';
import { routes } from './gen/routes.ts';
import { INTRODUCTION } from './introduction.ts';
import type { Json } from './route.ts';

const VERSION = '1.0.0';

/** OpenAPI 3.1 of every endpoint, as served at `/openapi.json`. */
export const openapiDocument = (serverUrl: string): Json => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { path, verb, operation } of routes) {
    const template = templateOf(path);
    paths[template] = { ...paths[template], [verb.toLowerCase()]: renamed(operation, path, template) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stoa',
      version: VERSION,
      description: INTRODUCTION,
    },
    servers: [{ url: serverUrl }],
    tags,
    paths,
    webhooks,
    components: { schemas, examples, parameters, headers, responses, securitySchemes },
  };
};

const PARAMETER = /:([a-z0-9_]+)/g;

/** OpenAPI knows a path once: parameters are called there as its GET calls them. */
const spelled = new Map(
  [...routes]
    .sort((a, b) => Number(a.verb === 'GET') - Number(b.verb === 'GET'))
    .map(({ path }) => [path.replace(PARAMETER, ':'), path.replace(PARAMETER, '{$1}')]),
);

const templateOf = (path: string): string => spelled.get(path.replace(PARAMETER, ':')) as string;

/** The operation with its path's parameters as the template calls them, in the same order. */
const renamed = (operation: Json, path: string, template: string): Json => {
  const own = [...path.matchAll(PARAMETER)].map(([, name]) => name);
  const shown = [...template.matchAll(/\{([a-z0-9_]+)\}/g)].map(([, name]) => name);
  if (own.every((name, at) => name === shown[at])) return operation;
  const parameters = (operation.parameters as readonly Json[]).map((parameter) =>
    parameter.in === 'path' ? { ...parameter, name: shown[own.indexOf(parameter.name as string)] } : parameter,
  );
  return { ...operation, parameters };
};

const bearer = (description: string): Json => ({ type: 'http', scheme: 'bearer', description });

const securitySchemes: Json = {
  PublishableKey: bearer('`svc_pk_live_…` or `svc_pk_test_…`: catalogue reads and what shoppers do for themselves.'),
  SecretKey: bearer('`svc_sk_live_…` or `svc_sk_test_…`: everything; only from a server.'),
  StaffSession: {
    type: 'apiKey',
    in: 'cookie',
    name: 'stoa_staff',
    description:
      'A staff session, within the scopes of the role; behind TLS its name is `__Host-stoa_staff`. It counts beside the header `X-Stoa-Dashboard` alone.',
  },
  DashboardEnvironment: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Stoa-Dashboard',
    description: '`production` or `sandbox`: the environment that a call with a staff session is for.',
  },
  SecretTestKey: bearer('`svc_sk_test_…`: tools of the sandbox.'),
  AccessToken: bearer('`svc_at_live_…` or `svc_at_test_…`: what a store granted to an app, within its scopes.'),
  OperatorKey: bearer(
    '`svc_mk_live_…` or `svc_mk_test_…`: a marketplace operator, who calls for the merchant that `store_id` names.',
  ),
};

const headerParameter = (name: string, description: string, schema: Json, required = false): Json => ({
  name,
  in: 'header',
  description,
  ...(required ? { required } : {}),
  schema,
});

const token = { type: 'string' };
const idempotencyKey = { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7e]+$' };
const ONE_SESSION = 'Exactly one of `x-auth-token`, `x-external-auth` and `x-idp-token` opens a customer session.';

const parameters: Json = {
  Merchant: {
    name: 'store_id',
    in: 'query',
    description:
      'With an operator’s key: the merchant for whom it calls. Any other key leaves it out; it is ignored there.',
    schema: { type: 'string', format: 'uuid' },
  },
  AuthToken: headerParameter('x-auth-token', `The access token of a customer session. ${ONE_SESSION}`, token),
  ExternalAuth: headerParameter(
    'x-external-auth',
    `The merchant's own assertion of who the customer is. ${ONE_SESSION}`,
    token,
  ),
  IdpToken: headerParameter('x-idp-token', `A token of the store's identity provider. ${ONE_SESSION}`, token),
  SessionId: headerParameter('X-Session-Id', 'The browsing session of a shopper who is not signed in.', {
    type: 'string',
    pattern: '^[\\x21-\\x7e]{1,128}$',
  }),
  ShopperAddress: headerParameter(
    'X-Shopper-IP',
    'The IP address of the shopper for whom a server calls: it is counted instead of the server’s own.',
    { type: 'string' },
  ),
  IdempotencyKey: headerParameter(
    'Idempotency-Key',
    'A retry with the same key and body gets the first answer again, for 24 hours.',
    idempotencyKey,
  ),
  RequiredIdempotencyKey: headerParameter(
    'Idempotency-Key',
    'A retry with the same key and body gets the first answer again, for 24 hours.',
    idempotencyKey,
    true,
  ),
  Timestamp: headerParameter('X-Timestamp', 'Unix seconds, within 5 minutes of the server.', { type: 'integer' }, true),
  Signature: headerParameter(
    'X-Signature',
    "Base64 of HMAC-SHA256 over the timestamp, a dot and the raw body, under the store's HMAC secret.",
    { type: 'string' },
    true,
  ),
  WebhookSignature: headerParameter(
    'X-Svc-Signature',
    "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 over the timestamp, a dot and the raw body, under the endpoint's `signing_secret`. Refuse timestamps more than 300 seconds away; compare in constant time. While a secret is rotated a second `v1` stands behind the first.",
    { type: 'string' },
    true,
  ),
  WebhookId: headerParameter(
    'webhook-id',
    'The id of the event, as in Standard Webhooks, whose `webhook-timestamp` and `webhook-signature` are sent too.',
    { type: 'string' },
    true,
  ),
  AcceptLanguage: headerParameter(
    'Accept-Language',
    'Languages of a publishable key’s shopper, in the order of preference. `language` goes before it.',
    { type: 'string' },
  ),
  IfNoneMatch: headerParameter('If-None-Match', 'The `ETag` of the answer that the caller holds.', { type: 'string' }),
};

const header = (description: string, type = 'string'): Json => ({ description, schema: { type } });

const headers: Json = {
  'X-Request-Id': header('Names this request; a valid one of the caller is kept.'),
  'Svc-Environment': header('`production` or `sandbox`.'),
  'X-RateLimit-Limit': header('Requests in the window that has the least left.', 'integer'),
  'X-RateLimit-Remaining': header('What is left of them.', 'integer'),
  'X-RateLimit-Reset': header('Unix time at which the window ends.', 'integer'),
  'X-RateLimit-Scope': header('`abuse`, on `rate_limited` answers.'),
  'Retry-After': header('Seconds until another try makes sense.', 'integer'),
  'Content-Language': header('Language of the answer’s texts; untranslated ones are in the store’s `language`.'),
  ETag: header('Changes when the answer does.'),
  'Cache-Control': header('How the answer may be kept.'),
  'X-Cache': header(
    '`HIT`, `MISS` or `HIT-304`; `STALE` where no services host could say whether the answer is still true (`Warning: 110`).',
  ),
};

const error = (description: string, code: string, message: string, headerNames: readonly string[] = []): Json => ({
  description,
  headers: Object.fromEntries(
    ['X-Request-Id', ...headerNames].map((name) => [name, { $ref: `#/components/headers/${name}` }]),
  ),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/ErrorObject' },
      example: { error: { code, message, request_id: 'req_5f2c9a' } },
    },
  },
});

const responses: Json = {
  NotModified: {
    description: 'The caller holds the current answer.',
    headers: { ETag: { $ref: '#/components/headers/ETag' }, 'X-Cache': { $ref: '#/components/headers/X-Cache' } },
  },
  InvalidRequest: error(
    'Malformed, or a field is missing or wrong; `param` names it.',
    'invalid_request',
    '`price` must be a number.',
  ),
  Unauthorized: error(
    'No valid API key, session or signature.',
    'unauthorized',
    'The API key is missing or not valid.',
  ),
  Forbidden: error('The key may not do this; `hint` says which may.', 'forbidden', 'This call needs a secret key.'),
  NotFound: error('Absent, or not visible to this key.', 'not_found', 'No such product.'),
  Conflict: error('The state of things forbids it.', 'conflict', 'A product with this SKU exists.', ['Retry-After']),
  PayloadTooLarge: error('The body is longer than allowed.', 'payload_too_large', 'The body may have 1048576 bytes.'),
  UnsupportedMediaType: error('The body is of another type.', 'unsupported_media_type', 'Send application/json.'),
  RateLimited: error(
    'Too many requests, or the month is used up (`quota_exceeded`).',
    'rate_limited',
    'Too many requests.',
    ['Retry-After', 'X-RateLimit-Scope'],
  ),
  ServerError: error(
    'Our fault; the same idempotency key may be tried again.',
    'server_error',
    'Something went wrong.',
  ),
  ServiceUnavailable: error('Not now.', 'service_unavailable', 'Try again shortly.', ['Retry-After']),
  Refused: error('Any other refusal; all have this shape.', 'payment_declined', 'The provider declined the payment.'),
};
