// Counts views of posts and lookbooks. A view is recorded with the response and sent to the services in the next tick;
// no response waits for it, and views that cannot be sent are dropped.
import type { SeenContent } from '#proto/gen/content.ts';
import type { Route } from '#proto/route.ts';
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import type { Log } from '#runtime/process/log.ts';
import { networkOf } from './gates/address.ts';
import { decode } from './gates/query.ts';
import { ownCall } from './own_call.ts';
import type { RequestContext } from './request_context.ts';

/** Query parameters that identify the viewer; they do not change the response. */
export const VIEWER_PARAMETERS: readonly string[] = ['visitor_id', 'session_id'];

const NAME_LENGTH_MAX = 512;
const QUEUED_MAX = 10_000;
const VIEWS_PER_CALL_MAX = 1_000;
/** Concurrent calls to the services; views that arrive while all of them run are sent together afterwards. */
const CALLS_MAX = 8;
const TIMEOUT_MS = 3_000;

interface Group {
  readonly tenant: Tenant;
  readonly views: SeenContent[];
}

const parameterOf = (search: string, name: string): string => {
  if (!search.includes(name)) return '';
  const pair = search.split('&').find((each) => each.startsWith(`${name}=`));
  return (pair && decode(pair.slice(name.length + 1))) ?? '';
};

const headerOrParameter = (headers: Headers, header: string, search: string, parameter: string): string =>
  (headers.get(header) || parameterOf(search, parameter)).slice(0, NAME_LENGTH_MAX);

export class Views {
  readonly #wire: LinkClient;
  readonly #log: Log;
  readonly #queued = new Map<TenantKey, Group>();
  #count = 0;
  #dropped = 0;
  #scheduled = false;
  readonly #calls = new Set<Promise<void>>();

  constructor(wire: LinkClient, log: Log) {
    this.#wire = wire;
    this.#log = log;
  }

  /** Records a shopper's successful GET as a view. `address` returns the client's address. */
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
    if (this.#count >= QUEUED_MAX) {
      this.#dropped++;
      return;
    }
    const { headers } = request;
    const visitor = headerOrParameter(headers, 'x-visitor-id', search, 'visitor_id');
    const session = headerOrParameter(headers, 'x-session-id', search, 'session_id');
    // The network and the user agent identify viewers that sent no visitor id.
    const identified = visitor !== '';
    const network = identified ? '' : networkOf(address());
    const agent = identified ? '' : (headers.get('user-agent') ?? '').slice(0, NAME_LENGTH_MAX);
    const key = tenantKey(principal.tenant);
    let group = this.#queued.get(key);
    if (!group) {
      group = { tenant: principal.tenant, views: [] };
      this.#queued.set(key, group);
    }
    group.views.push({ kind, slug, visitor, session, network, agent });
    this.#count++;
    this.#schedule();
  }

  async close(): Promise<void> {
    while (this.#count > 0 || this.#calls.size > 0) {
      this.#send();
      await Promise.all(this.#calls);
    }
  }

  #schedule(): void {
    if (this.#scheduled || this.#count === 0 || this.#calls.size >= CALLS_MAX) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#send();
    });
  }

  #send(): void {
    if (this.#dropped > 0) this.#log.warn({ dropped: this.#dropped }, 'dropped views because the queue is full');
    this.#dropped = 0;
    for (const [key, { tenant, views }] of this.#queued) {
      if (this.#calls.size >= CALLS_MAX) return;
      const sent = views.splice(0, VIEWS_PER_CALL_MAX);
      if (views.length === 0) this.#queued.delete(key);
      this.#count -= sent.length;
      const call = this.#ask(tenant, sent).finally(() => {
        this.#calls.delete(call);
        this.#schedule();
      });
      this.#calls.add(call);
    }
  }

  async #ask(tenant: Tenant, views: readonly SeenContent[]): Promise<void> {
    const caller = { tenant, keyType: 'internal', keyId: '', customer: null } as const;
    const call = { caller, timeoutMs: TIMEOUT_MS, write: true };
    const answer = await ownCall(this.#wire, 'ContentDirectory/CountViews', { views }, call);
    if (answer instanceof Refusal) this.#log.debug({ code: answer.code, views: views.length }, 'failed to count views');
  }
}
