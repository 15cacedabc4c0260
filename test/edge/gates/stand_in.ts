// Simulates the services behind an edge's gates: keys, sessions and an echo endpoint; and opens an edge over them.
import { randomUUID } from 'node:crypto';
import { type TSchema, Type } from '@sinclair/typebox';
import { createEdge } from '#edge/edge.ts';
import type { Edge } from '#edge/endpoint.ts';
import type { Principal } from '#edge/gates/principal.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Answer, Ask, LinkClient } from '#runtime/link/frame.ts';
import type { NewNotice, Notice } from '#runtime/nats/notice.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { testLog } from '#test/support/server.ts';

export const STORE = randomUUID();
export const LIVE: Tenant = { store: STORE, environment: 'production' };
export const SANDBOX: Tenant = { store: STORE, environment: 'sandbox' };
export const ADA = randomUUID();
export const BOB = randomUUID();
export const HOUR_MS = 3_600_000;

export const tokenOf = (letter: string): string => `at_${letter.repeat(43)}`;
const KEY_TYPES = ['publishable', 'secret'] as const;
export const keyText = (type: (typeof KEY_TYPES)[number], { environment }: Tenant = LIVE): string =>
  `Bearer svc_${type === 'secret' ? 'sk' : 'pk'}_${environment === 'sandbox' ? 'test' : 'live'}_abcdefgh`;

export interface Stored {
  readonly tenant: Tenant;
  readonly customer: string;
  readonly session: string;
  remainingMs: number;
}

/** Simulates services with keys, sessions and an echo endpoint. */
export class Services implements LinkClient {
  readonly asks: Ask[] = [];
  readonly sessions = new Map<string, Stored>();
  /** Others' tokens that are believed, by kind and text. */
  readonly assertions = new Map<string, { readonly customer: string; remainingMs: number }>();
  /** Holds answers to questions about sessions back. */
  gate: Promise<void> = Promise.resolve();
  down = false;
  #hear: (notice: Notice | null) => void = () => {};

  async ask(ask: Ask): Promise<Answer> {
    this.asks.push(ask);
    const input = JSON.parse(ask.input);
    if (ask.rpc === 'Limit/Take') return this.#answer({ start: input.start, end: 0, granted: 0, left: 0 });
    if (ask.rpc === 'StoreDirectory/ResolveKey') return this.#answer({ principal: principalOfHash(input.key_hash) });
    if (ask.rpc === 'SessionDirectory/ResolveAssertion') {
      const found = this.assertions.get(`${input.kind} ${input.token}`);
      if (!found) return this.#answer(refuse('not_found', 'No such session.'));
      return this.#answer({ customer_id: found.customer, remaining_ms: found.remainingMs });
    }
    if (ask.rpc !== 'SessionDirectory/ResolveSession') return this.#answer({ ok: true });
    const stored = this.sessions.get(input.token_hash);
    await this.gate;
    if (this.down) return this.#answer(refuse('service_unavailable', 'Down.', { retryAfterS: 1 }));
    const { store, environment } = ask.caller.tenant;
    if (
      !stored ||
      stored.tenant.store !== store ||
      stored.tenant.environment !== environment ||
      stored.remainingMs <= 0
    )
      return this.#answer(refuse('not_found', 'No such session.'));
    const { customer, session, remainingMs } = stored;
    return this.#answer({ customer_id: customer, session_id: session, expires_at: '', remaining_ms: remainingMs });
  }

  signIn(letter: string, customer: string, tenant = LIVE): Stored {
    const stored = { tenant, customer, session: randomUUID(), remainingMs: HOUR_MS };
    this.sessions.set(sha256(tokenOf(letter)).toString('hex'), stored);
    return stored;
  }

  signOut(letter: string): void {
    this.sessions.delete(sha256(tokenOf(letter)).toString('hex'));
  }

  tell(notice: NewNotice | null): void {
    this.#hear(notice && { revision: 0, ids: [], ...notice });
  }

  /** Questions about sessions so far. */
  get questions(): number {
    return this.asks.filter(({ rpc }) => rpc.startsWith('SessionDirectory/')).length;
  }

  listen(hear: (notice: Notice | null) => void): void {
    this.#hear = hear;
  }
  serves = (): boolean => true;
  cancelWaits = (): void => {};
  close = async (): Promise<void> => {};

  #answer(value: unknown): Answer {
    const refused = value instanceof Refusal ? value : null;
    const body = new TextEncoder().encode(refused ? '' : JSON.stringify(value));
    return { body, dependsOn: [], replayed: false, refused };
  }
}

const UNLIMITED = { key_hour: 0, key_day: 0, network_hour: 0, month: 0 };
export const principalOfHash = (hash: string) => {
  for (const tenant of [LIVE, SANDBOX])
    for (const type of KEY_TYPES)
      if (sha256(keyText(type, tenant).slice('Bearer '.length)).toString('hex') === hash)
        return {
          key_id: `${type} ${tenant.environment}`,
          key_type: type,
          store_id: tenant.store,
          environment: tenant.environment,
          limits: UNLIMITED,
          hmac_secret: 'secret',
        };
  throw new Error('This key is not of the test.');
};

export interface Gates {
  readonly services: Services;
  readonly edge: Edge;
  readonly principals: Readonly<Record<'publishable' | 'secret' | 'sandbox', Principal>>;
}

export const openGates = async (): Promise<Gates> => {
  const services = new Services();
  const edge = createEdge({
    wire: services,
    redis: null,
    log: testLog(),
    trustedProxies: '',
    cacheBytesMax: 1_000_000,
  });
  const principal = async (text: string) => (await edge.principals.resolve(text)) as Principal;
  return {
    services,
    edge,
    principals: {
      publishable: await principal(keyText('publishable')),
      secret: await principal(keyText('secret')),
      sandbox: await principal(keyText('secret', SANDBOX)),
    },
  };
};

export interface RouteShape {
  readonly session: Route['access']['session'];
  readonly path?: string;
  readonly verb?: Route['verb'];
  readonly cache?: Route['cache'];
}

export const customerId = Type.Optional(Type.String({ format: 'uuid' })) as TSchema;
export const routeOf = ({ session, path = '/v1/cart', verb = 'GET', cache = 'none' }: RouteShape): Route => ({
  verb,
  path,
  rpc: 'Test/Echo',
  writes: verb !== 'GET',
  access: {
    key: 'publishable',
    session,
    signed: false,
    live_only: false,
    wholesale: false,
    merchant: true,
    operator: false,
    scope: '',
  },
  limit: 'plan',
  cache,
  status: 200,
  envelope: '',
  fields: null,
  body: verb === 'GET' ? null : { bytes_max: 1_000, raw: [] },
  params: [],
  query:
    verb === 'GET'
      ? [
          { name: 'customer_id', type: 'text' },
          { name: 'note', type: 'text' },
        ]
      : [],
  headers: [],
  request: Type.Object({
    customer_id: customerId,
    note: Type.Optional(Type.String()),
    id: Type.Optional(Type.String()),
  }),
  response: Type.Object({}),
  produces: 'application/json',
  operation: {},
});
