// Who looked at a post or a lookbook: noted when the answer goes out, whatever it was made from, and told to the services
// in the next turn. Best effort: no answer waits for it, and what cannot be told is lost.
import type { SeenContent } from '#proto/gen/content.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Wire } from '#runtime/link/frame.ts';
import type { Log } from '#runtime/process/log.ts';
import { networkOf } from './gates/address.ts';
import { decode } from './gates/query.ts';
import { ownCall } from './own_call.ts';
import type { RequestContext } from './request_context.ts';

/** Parameters that say who looks: no part of what is asked. */
export const VIEWER_PARAMETERS: readonly string[] = ['visitor_id', 'session_id'];

const NAME_LENGTH_MAX = 512;
/** What comes while so many wait is lost. */
const WAITING_MAX = 10_000;
const TOLD_AT_ONCE_MAX = 1_000;
/** Calls under way; what comes meanwhile is told together. */
const CALLS_MAX = 8;
const TIMEOUT_MS = 3_000;

interface Group {
  readonly tenant: Tenant;
  readonly views: SeenContent[];
}

/** A parameter of the query by its plain name; empty where it is not there. */
const named = (search: string, name: string): string => {
  if (!search.includes(name)) return '';
  const pair = search.split('&').find((each) => each.startsWith(`${name}=`));
  return (pair && decode(pair.slice(name.length + 1))) ?? '';
};

/** "Headers … each taking precedence over its query form." */
const nameOf = (headers: Headers, header: string, search: string, parameter: string): string =>
  (headers.get(header) || named(search, parameter)).slice(0, NAME_LENGTH_MAX);

export class Views {
  readonly #wire: Wire;
  readonly #log: Log;
  readonly #waiting = new Map<TenantKey, Group>();
  #count = 0;
  #lost = 0;
  #due = false;
  readonly #calls = new Set<Promise<void>>();

  constructor(wire: Wire, log: Log) {
    this.#wire = wire;
    this.#log = log;
  }

  /** An answer was given to a caller at this address. A shopper's look at what is there is a view. */
  note(
    kind: NonNullable<Route['view']>,
    slug: string,
    search: string,
    context: RequestContext,
    status: number,
    address: () => string,
  ): void {
    const { principal, request } = context;
    if (principal?.keyType !== 'publishable' || request.method !== 'GET' || (status !== 200 && status !== 304)) return;
    if (this.#count >= WAITING_MAX) {
      this.#lost++;
      return;
    }
    const { headers } = request;
    const visitor = nameOf(headers, 'x-visitor-id', search, 'visitor_id');
    const session = nameOf(headers, 'x-session-id', search, 'session_id');
    // A visitor with an id need not be told by their network.
    const known = visitor !== '';
    const network = known ? '' : networkOf(address());
    const agent = known ? '' : (headers.get('user-agent') ?? '').slice(0, NAME_LENGTH_MAX);
    const key = tenantKey(principal.tenant);
    let group = this.#waiting.get(key);
    if (!group) {
      group = { tenant: principal.tenant, views: [] };
      this.#waiting.set(key, group);
    }
    group.views.push({ kind, slug, visitor, session, network, agent });
    this.#count++;
    this.#soon();
  }

  /** Resolves once all that was noted is told, or could not be. */
  async close(): Promise<void> {
    while (this.#count > 0 || this.#calls.size > 0) {
      this.#tell();
      await Promise.all(this.#calls);
    }
  }

  #soon(): void {
    if (this.#due || this.#count === 0 || this.#calls.size >= CALLS_MAX) return;
    this.#due = true;
    setImmediate(() => {
      this.#due = false;
      this.#tell();
    });
  }

  #tell(): void {
    if (this.#lost > 0) this.#log.warn({ lost: this.#lost }, 'views were lost: too many were waiting');
    this.#lost = 0;
    for (const [key, { tenant, views }] of this.#waiting) {
      if (this.#calls.size >= CALLS_MAX) return;
      const told = views.splice(0, TOLD_AT_ONCE_MAX);
      if (views.length === 0) this.#waiting.delete(key);
      this.#count -= told.length;
      const call = this.#ask(tenant, told).finally(() => {
        this.#calls.delete(call);
        this.#soon();
      });
      this.#calls.add(call);
    }
  }

  async #ask(tenant: Tenant, views: readonly SeenContent[]): Promise<void> {
    const caller = { tenant, keyType: 'internal', keyId: '', customer: null } as const;
    const call = { caller, timeoutMs: TIMEOUT_MS, write: true };
    const told = await ownCall(this.#wire, 'ContentDirectory/CountViews', { views }, call);
    if (told instanceof Refusal) this.#log.debug({ code: told.code, views: views.length }, 'views were not counted');
  }
}
