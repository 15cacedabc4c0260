// Reads one rpc's door: verb, path, who may call it, and from where each field of its request comes.
import type { DescMethod } from '@bufbuild/protobuf';
import { type Complain, type EndpointShape, type FieldShape, PACKAGE, type Rpc } from './contract.ts';
import type { ReadOption } from './option.ts';

const VERBS = { get: 'GET', post: 'POST', put: 'PUT', patch: 'PATCH', delete: 'DELETE' } as const;
const BODY_BYTES_MAX = 1_048_576;
/** Options that mean nothing without a path. */
const ENDPOINT_OPTIONS = [
  'access',
  'limit',
  'cache',
  'status',
  'envelope',
  'body_bytes_max',
  'raw_body',
  'produces',
  'summary',
  'timeout_ms',
  'at_once',
  'reads',
  'view',
  'oauth',
  'renders_fields',
  'ends_session',
  'operation',
  'record',
  'audited',
];

interface HttpRule extends Partial<Record<keyof typeof VERBS, string>> {
  readonly body?: string;
  readonly additional_bindings?: readonly unknown[];
}

/** A service's options for all of its rpcs. */
export interface ServiceKind {
  readonly internal: boolean;
  /** For a store's own keys alone. */
  readonly storeOnly: boolean;
}

/** Complains of the rpc that is read. */
type Wrong = (sentence: string) => undefined;

export const endpointReader =
  (option: ReadOption, complain: Complain) =>
  (method: DescMethod, rpc: Rpc | undefined, { internal, storeOnly }: ServiceKind): EndpointShape | undefined => {
    const wrong: Wrong = (sentence) => {
      complain(method, sentence);
      return undefined;
    };
    const http = option(method, 'google.api.http') as HttpRule | undefined;
    if (!http) {
      if (!internal) wrong('has no google.api.http, and its service is not marked (stoa.internal).');
      const stray = ENDPOINT_OPTIONS.filter((name) => option(method, `stoa.${name}`) !== undefined);
      if (stray.length > 0) wrong(`(stoa.${stray.join('), (stoa.')}) means nothing without a path.`);
      return undefined;
    }
    if (internal) return wrong('has a path, but its service is internal.');
    if (!rpc) return wrong(`an endpoint takes one message of ${PACKAGE} and answers one.`);
    if (http.additional_bindings?.length) wrong('one rpc is one endpoint: no additional_bindings.');

    const verbName = (Object.keys(VERBS) as (keyof typeof VERBS)[]).find((name) => http[name] !== undefined);
    if (!verbName) return wrong('google.api.http names no verb.');
    const verb = VERBS[verbName];
    const path = http[verbName]!;
    const hasBody = http.body === '*';
    if (http.body && !hasBody) wrong('the body is "*" or nothing.');
    if (hasBody && verb === 'GET') wrong('a GET has no body.');

    const cache = word(option(method, 'stoa.cache'), 'CACHE_') || 'none';
    if (cache !== 'none' && verb !== 'GET') wrong('only a GET is cached.');
    const reads = option(method, 'stoa.reads') === true;
    if (reads && verb !== 'POST') wrong(verb === 'GET' ? 'a GET only reads anyhow.' : `a ${verb} cannot only read.`);
    const access = readAccess({ option, method, storeOnly, hasBody, writes: verb !== 'GET' && !reads }, wrong);
    if (!access) return undefined;
    const raw = (option(method, 'stoa.raw_body') ?? []) as string[];
    if (raw.length > 0 && !hasBody) wrong('(stoa.raw_body) needs body: "*".');
    const status = Number(option(method, 'stoa.status') ?? 200);
    if (status < 200 || status > 299) wrong(`${status} is not a status of success.`);
    const envelope = (option(method, 'stoa.envelope') ?? '') as string;
    if (envelope && !rpc.response.fields.some((field) => field.name === envelope)) {
      wrong(`the envelope "${envelope}" is no field of ${rpc.response.name}.`);
    }

    const view = (option(method, 'stoa.view') ?? '') as string;
    if (view && (verb !== 'GET' || !path.endsWith('/{slug}'))) wrong('only a GET by slug is a view.');

    const places = readPlaces({ verb, path, hasBody }, rpc, wrong);

    return {
      rpc,
      verb,
      path,
      writes: verb !== 'GET' && !reads,
      access,
      limit: word(option(method, 'stoa.limit'), 'LIMIT_') || 'plan',
      cache,
      status,
      envelope,
      timeoutMs: Number(option(method, 'stoa.timeout_ms') ?? 0),
      atOnce: Number(option(method, 'stoa.at_once') ?? 0),
      view,
      oauth: option(method, 'stoa.oauth') === true,
      endsSession: option(method, 'stoa.ends_session') === true,
      rendersFields: option(method, 'stoa.renders_fields') === true,
      operation: (option(method, 'stoa.operation') ?? `${rpc.name[0]!.toLowerCase()}${rpc.name.slice(1)}`) as string,
      audited: option(method, 'stoa.audited') === true,
      record: (option(method, 'stoa.record') ?? recordOf(path)) as string,
      body: hasBody ? { bytes_max: Number(option(method, 'stoa.body_bytes_max') ?? BODY_BYTES_MAX), raw } : null,
      produces: (option(method, 'stoa.produces') ?? 'application/json') as string,
      summary: (option(method, 'stoa.summary') ?? '') as string,
      ...places,
    };
  };

interface AccessQuestion extends Pick<ServiceKind, 'storeOnly'> {
  readonly option: ReadOption;
  readonly method: DescMethod;
  readonly hasBody: boolean;
  readonly writes: boolean;
}

const readAccess = (
  { option, method, storeOnly, hasBody, writes }: AccessQuestion,
  wrong: Wrong,
): EndpointShape['access'] | undefined => {
  const access = option(method, 'stoa.access') as Record<string, unknown> | undefined;
  if (!access) return wrong('has no (stoa.access): say who may call it.');
  if (access.signed && !hasBody) wrong('a signed call needs a body to sign.');
  const key = (word(access.key, 'KEY_') || 'none') as EndpointShape['access']['key'];
  const operator = word(access.operator, 'OPERATOR_') || 'shopper';
  return {
    key,
    session: (word(access.session, 'SESSION_') || 'none') as EndpointShape['access']['session'],
    signed: access.signed === true,
    live_only: access.live_only === true,
    staff: access.staff === true,
    wholesale: option(method.parent, 'stoa.wholesale') === true,
    merchant: operator === 'either' || (key === 'publishable' && !storeOnly),
    operator: operator !== 'shopper' || key === 'operator',
    scope: scopeOf(key, (option(method.parent, 'stoa.scope') ?? '') as string, writes),
  };
};

/** From where each field of the request comes. */
const readPlaces = (
  { verb, path, hasBody }: Pick<EndpointShape, 'verb' | 'path'> & { readonly hasBody: boolean },
  rpc: Rpc,
  wrong: Wrong,
): Pick<
  EndpointShape,
  'params' | 'query' | 'headers' | 'network' | 'fileName' | 'newSession' | 'language' | 'bodyFields'
> => {
  const params = readParams(path, rpc, wrong);
  const headers = rpc.request.fields.filter((field) => field.header !== '');
  for (const field of headers) {
    if (field.shape.kind !== 'text' || field.many !== 'one') wrong(`${field.name} cannot be read from a header.`);
    if (params.includes(field) || field.query) wrong(`${field.name} is read from one place only.`);
  }
  const network = rpc.request.fields.find((field) => field.network) ?? null;
  if (network && (network.shape.kind !== 'text' || network.many !== 'one')) wrong(`${network.name} is no text.`);
  const fileName = rpc.request.fields.find((field) => field.fileName) ?? null;
  if (fileName && !(hasBody && fileName.query))
    wrong(`${fileName.name} names a file, so it is read from the query of a call with a body.`);
  const newSession = rpc.request.fields.find((field) => field.newSession) ?? null;
  if (newSession && (newSession.shape.kind !== 'text' || !hasBody))
    wrong(`${newSession.name} is no text beside a body.`);
  const language = rpc.request.fields.find((field) => field.language) ?? null;
  if (language && (language.shape.kind !== 'text' || language.many !== 'one')) wrong(`${language.name} is no text.`);
  const outsideBody = [...params, ...headers, network, newSession];
  const rest = rpc.request.fields.filter((field) => !outsideBody.includes(field));
  const query = hasBody ? rest.filter((field) => field.query || field.language) : rest;
  for (const field of [...params, ...query]) {
    const flat =
      field.many === 'one' || (field.many === 'list' && query.includes(field) && field.shape.kind === 'text');
    if (!flat || !['text', 'number', 'boolean'].includes(field.shape.kind)) {
      wrong(`${field.name} cannot be written in a URL${hasBody || verb === 'GET' ? '' : '; is body: "*" missing?'}.`);
    }
  }
  if (!hasBody && verb !== 'GET' && verb !== 'DELETE' && query.some((field) => !field.query)) {
    wrong('has fields but no body: add body: "*", or mark them (stoa.query).');
  }
  return {
    params,
    query,
    headers,
    network,
    fileName,
    newSession,
    language,
    bodyFields: hasBody ? rest.filter((field) => !field.query) : [],
  };
};

const SCOPED_KEYS: readonly string[] = ['publishable', 'secret', 'operator'];

/** Scope of an endpoint that keys of stores and operators call. The sandbox's tools have none. */
const scopeOf = (key: string, resource: string, writes: boolean): string =>
  resource !== '' && SCOPED_KEYS.includes(key) ? `${resource}:${writes ? 'write' : 'read'}` : '';

/** The kind of record that a path names: `product` for `/v1/products/{id}/variants`. */
const recordOf = (path: string): string => {
  const words = path.split('/{', 1)[0]!.split('/');
  return singular(words.at(-1)!.replaceAll('-', '_'));
};

const singular = (noun: string): string => noun.replace(/ies$/, 'y').replace(/s$/, '');

/** `KEY_SECRET_TEST` → `secret_test`. */
const word = (name: unknown, prefix: string): string =>
  typeof name === 'string' && name.startsWith(prefix) ? name.slice(prefix.length).toLowerCase() : '';

const readParams = (path: string, rpc: Rpc, wrong: Wrong): FieldShape[] => {
  if (!/^(\/|(\/([A-Za-z0-9._~-]+|\{[a-z][a-z0-9_]*\}))+)$/.test(path)) wrong(`the path ${path} cannot be routed.`);
  return [...path.matchAll(/\{([^}]*)\}/g)].flatMap(([, name]) => {
    const field = rpc.request.fields.find((candidate) => candidate.name === name);
    if (!field) {
      wrong(`{${name}} is no field of ${rpc.request.name}.`);
      return [];
    }
    field.required = true;
    return [field];
  });
};
