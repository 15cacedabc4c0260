// Writes the audit table: the rpcs of endpoints that change a store's records on the store's own behalf.
import type { Contract, EndpointShape, Rpc, Service } from './contract.ts';
import { heading } from './direction.ts';

const STORE_KEYS: readonly string[] = ['secret', 'secret_test', 'operator'];
const STORE_SESSIONS: readonly string[] = ['or_store', 'named_or_store'];
/** Sign-ins of shoppers, which the store's server passes on. */
const SHOPPER_LIMITS: readonly string[] = ['auth', 'reset'];
const CREATED = 201;

/** Whether the store itself or its staff may be the caller; all other writes are shoppers' own. */
const isAudited = ({ writes, access, limit, audited }: EndpointShape): boolean => {
  if (writes && (audited || access.key === 'staff' || access.staff)) return true;
  if (!writes || SHOPPER_LIMITS.includes(limit)) return false;
  return access.session === 'none' ? STORE_KEYS.includes(access.key) : STORE_SESSIONS.includes(access.session);
};

export const auditTableOf = ({ endpoints, files }: Contract): string =>
  `${[
    heading('stoa/v1/*.proto'),
    "import type { AuditedRpc } from '#proto/audited.ts';",
    '',
    '/** The calls that the audit log records, by rpc: endpoints of stores, and what the command line calls. */',
    'export const AUDITED: ReadonlyMap<string, AuditedRpc> = new Map<string, AuditedRpc>([',
    ...endpoints.filter(isAudited).map((endpoint) => row(endpoint, endpoints)),
    ...files.flatMap(({ services }) => services.filter(isCommand).flatMap(({ rpcs }) => rpcs.map(commandRow))),
    ']);',
  ].join('\n')}\n`;

const row = (endpoint: EndpointShape, endpoints: readonly EndpointShape[]): string => {
  const { verb, path, operation, record, envelope, status, params } = endpoint;
  const reader = readerOf(endpoint, endpoints);
  return rowOf(nameOf(endpoint), {
    endpoint: text(`${verb} ${path}`),
    operation: text(operation),
    record: text(record),
    param: params[0] ? text(params[0].name) : 'null',
    envelope: text(envelope),
    makes: params.length === 0 && status === CREATED,
    reader: reader && `{ rpc: ${text(nameOf(reader))}, envelope: ${text(reader.envelope)} }`,
  });
};

/** Services of the command line are `StoreAdmin` and its like. */
const isCommand = ({ name, internal }: Service): boolean => internal && name.endsWith('Admin');

const commandRow = (rpc: Rpc): string =>
  rowOf(nameOf({ rpc }), {
    endpoint: null,
    operation: text(nameOf({ rpc })),
    record: text('store'),
    param: null,
    envelope: text(''),
    makes: false,
    reader: null,
  });

const rowOf = (rpc: string, columns: Readonly<Record<string, string | boolean | null>>): string => {
  const written = Object.entries(columns).map(([name, value]) => `${name}: ${value}`);
  return `  [${text(rpc)}, { ${written.join(', ')} }],`;
};

/** The endpoint that reads the record that the path names first. */
const readerOf = ({ path, params, verb }: EndpointShape, endpoints: readonly EndpointShape[]): EndpointShape | null => {
  const [first] = params;
  if (!first && verb === 'POST') return null;
  const place = first ? path.slice(0, path.indexOf('}') + 1) : path;
  return endpoints.find((other) => other.verb === 'GET' && other.path === place) ?? null;
};

const nameOf = ({ rpc }: Pick<EndpointShape, 'rpc'>): string => `${rpc.service}/${rpc.name}`;

const text = (value: string): string => `'${value}'`;
