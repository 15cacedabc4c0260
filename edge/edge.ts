// One edge: its gates put together over a wire to the services, listening until it is told to stop.
import type { Server } from 'bun';
import type { AnyElysia } from 'elysia';
import { routes } from '#proto/gen/routes.ts';
import type { Wire } from '#runtime/link/frame.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import type { Log } from '#runtime/process/log.ts';
import type { SharedStore as RedisCache } from '#runtime/redis/redis.ts';
import { type AccessLogging, openAccessLog } from './access_log.ts';
import { Activity } from './activity.ts';
import { LoadAdmission } from './admission/admission.ts';
import { createApp } from './app.ts';
import { AssistantStores } from './assistant/shop.ts';
import type { Edge } from './endpoint.ts';
import { ClientAddresses } from './gates/address.ts';
import { Cache } from './gates/cache.ts';
import { OutOfStockCache } from './gates/out_of_stock_cache.ts';
import { Outage } from './gates/outage.ts';
import { Principals } from './gates/principal.ts';
import { Revisions } from './gates/revision.ts';
import { CustomerSessions } from './gates/session.ts';
import { SharedCache } from './gates/shared_cache.ts';
import { TenantInvalidations } from './gates/tenant_invalidation.ts';
import { Throttle } from './gates/throttle.ts';
import { metaAnswers } from './meta.ts';
import { welcoming } from './pages/welcome.ts';
import { Turn } from './turn.ts';
import { Views } from './view.ts';

export interface EdgeOptions {
  readonly host: string;
  readonly port: number;
  readonly wire: Wire;
  readonly redis: RedisCache | null;
  readonly log: Log;
  readonly trustedProxies: string;
  /** `off` by default. */
  readonly accessLog?: AccessLogging;
  /** The edge's address in links that lead to it; null: the address that it listens on. */
  readonly publicUrl: string | null;
  readonly cacheBytesMax: number;
  /** Where the demo's keys are kept, for the page at `/`. */
  readonly demoFile?: string;
  /** Milliseconds of a clock that only goes forward; performance.now() by default. */
  readonly now?: () => number;
  /** The folder with the demo's pictures; left out, none is served. */
  readonly demoPictures?: string;
  /** What else this process answers: a bench's reference. */
  readonly beside?: AnyElysia;
}

export interface RunningEdge {
  readonly url: string;
  readonly edge: Edge;
  readonly app: ReturnType<typeof createApp>['app'];
  /** Says that it is about to end, and closes each connection with its next answer; all that comes is served. */
  drain(): void;
  /** Takes nothing new, lets what runs end, gives back the tokens that it holds. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const SWEEP_MS = 60_000;
/** Bun answers larger bodies by itself, without our error object; the gates refuse them long before. */
const BODY_BYTES_MAX = 1024 * 1024 * 1024;
/** Seconds after which a silent connection is closed. Bun gives the first head of a connection 12, later ones all of them. */
const IDLE_TIMEOUT_S = 60;
/** Longer than any request but a long poll, which is told to hurry. */
const ANSWERS_MS = 16_000;
const HURRY_MS = 250;

/** What may change what sections of a marketplace show of a merchant, beside its catalogue. */
const HEARD_WHOLE: ReadonlySet<string> = new Set<Notice['kind']>(['store', 'prices', 'clock', 'reset', 'sections']);

export function createEdge(options: Omit<EdgeOptions, 'host' | 'port' | 'publicUrl'>): Edge {
  const activity = new Activity();
  const throttle = new Throttle(options.wire);
  const revisions = new Revisions();
  const outage = new Outage(() => {
    edge.tenantInvalidations.invalidateAll();
    edge.revisions.clear();
    edge.reviews.clear();
    edge.contents.clear();
    edge.principals.invalidateAll();
  }, options.now);
  const edge: Edge = {
    wire: activity.answering(options.wire),
    activity,
    throttle,
    admission: new LoadAdmission(routes),
    outage,
    principals: new Principals(options.wire, throttle, outage),
    sessions: new CustomerSessions(options.wire),
    revisions,
    reviews: new Revisions(),
    contents: new Revisions(),
    tenantInvalidations: new TenantInvalidations(),
    cache: new Cache(options.cacheBytesMax),
    outOfStock: new OutOfStockCache(revisions),
    sharedCache: options.redis && new SharedCache(options.redis),
    addresses: new ClientAddresses(options.trustedProxies),
    log: options.log,
    accessLog: openAccessLog(options.log, options.accessLog ?? 'off'),
    turn: new Turn(),
    views: new Views(options.wire, options.log),
    shops: new AssistantStores(options.wire),
  };
  options.wire.listen((notice) => {
    if (notice !== null && HEARD_WHOLE.has(notice.kind)) edge.tenantInvalidations.invalidate(notice.tenant);
    if (notice === null) {
      outage.linkChanged(options.wire.serves('Host'));
      edge.sessions.invalidateAll();
      edge.shops.forgetAll();
    } else if (notice.kind === 'store') {
      edge.principals.invalidate(notice.tenant.store);
      edge.shops.forget(notice.tenant.store);
      // It may believe others' words no more.
      edge.sessions.invalidate(notice.tenant, []);
    } else if (notice.kind === 'sessions') edge.sessions.invalidate(notice.tenant, notice.ids ?? []);
    else if (notice.kind === 'tokens') edge.throttle.recall(notice.tenant.store, notice.ids ?? []);
    else if (notice.kind === 'catalog') edge.revisions.apply(notice);
    else if (notice.kind === 'review') edge.reviews.apply(notice);
    else if (notice.kind === 'content') edge.contents.apply(notice);
  });
  return edge;
}

/** Each answer is the last one of its connection: its client comes anew, and by then to another edge. */
const closing =
  (serve: (request: Request) => Response | Promise<Response>) =>
  (request: Request): Response | Promise<Response> => {
    const close = (response: Response): Response => {
      response.headers.set('Connection', 'close');
      return response;
    };
    const answer = serve(request);
    return answer instanceof Promise ? answer.then(close) : close(answer);
  };

export function startEdge(options: EdgeOptions): RunningEdge {
  const edge = createEdge(options);
  /** Once it listens. */
  const ownUrl = (): string =>
    `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${app.server?.port}`;
  const publicUrl = (): string => options.publicUrl ?? ownUrl();
  const { app, warm } = createApp(
    edge,
    welcoming(
      metaAnswers({
        wire: options.wire,
        redis: options.redis,
        publicUrl,
        draining: () => draining,
      }),
      options.demoFile ?? '',
    ),
    { publicUrl, demoFile: options.demoFile ?? '', demoPictures: options.demoPictures ?? '' },
  );
  if (options.beside) app.use(options.beside);
  app.listen({
    hostname: options.host,
    port: options.port,
    maxRequestBodySize: BODY_BYTES_MAX,
    idleTimeout: IDLE_TIMEOUT_S,
  });
  const server = app.server as Server<unknown>;
  void warm();

  let draining = false;
  const drain = (): void => {
    if (draining) return;
    draining = true;
    // Routes of the server's own would not come by here.
    server.reload({ routes: {}, fetch: closing(app.fetch) });
  };

  const ticker = setInterval(() => edge.throttle.tick(), TICK_MS);
  const sweeper = setInterval(() => edge.throttle.sweep(Date.now()), SWEEP_MS);

  return {
    url: ownUrl(),
    edge,
    app,
    drain,
    async stop() {
      drain();
      clearInterval(ticker);
      clearInterval(sweeper);
      const hurry = setInterval(() => options.wire.hurry(), HURRY_MS);
      const late = setTimeout(() => {
        options.log.warn({ requests: server.pendingRequests }, 'requests are left without an answer');
        void server.stop(true);
      }, ANSWERS_MS);
      options.wire.hurry();
      await server.stop();
      clearTimeout(late);
      clearInterval(hurry);
      await edge.views.close();
      await edge.throttle.close();
    },
  };
}
