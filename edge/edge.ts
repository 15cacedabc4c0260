// Assembles an edge from its gates and a link client, and runs it until it is stopped.
import type { Server } from 'bun';
import type { AnyElysia } from 'elysia';
import { routes } from '#proto/gen/routes.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { dispatchNotices, type Notice, type NoticeHandlers } from '#runtime/nats/notice.ts';
import type { Log } from '#runtime/process/log.ts';
import type { SharedStore as RedisCache } from '#runtime/redis/redis.ts';
import { type AccessLogging, createAccessLog } from './access_log.ts';
import { Activity } from './activity.ts';
import { LoadAdmission } from './admission/admission.ts';
import { createApp } from './app.ts';
import { AssistantStores } from './assistant/assistant_store.ts';
import type { Edge } from './endpoint.ts';
import { ClientAddresses } from './gates/address.ts';
import { Cache } from './gates/cache.ts';
import { Freshness } from './gates/freshness.ts';
import { OutOfStockCache } from './gates/out_of_stock_cache.ts';
import { Outage } from './gates/outage.ts';
import { Principals } from './gates/principal.ts';
import { CustomerSessions } from './gates/session.ts';
import { SharedCache } from './gates/shared_cache.ts';
import { Throttle } from './gates/throttle.ts';
import { KeyUses } from './key_use.ts';
import { metaAnswers } from './meta.ts';
import { withWelcomePage } from './pages/welcome.ts';
import { TickBatcher } from './tick_batcher.ts';
import { Views } from './view.ts';

export interface EdgeOptions {
  readonly host: string;
  readonly port: number;
  readonly wire: LinkClient;
  readonly redis: RedisCache | null;
  readonly log: Log;
  readonly trustedProxies: string;
  readonly accessLog?: AccessLogging;
  /** Base URL of this edge in links; null uses the listening address. */
  readonly publicUrl: string | null;
  readonly cacheBytesMax: number;
  readonly demoFile?: string;
  readonly now?: () => number;
  readonly demoPictures?: string;
  readonly extraApp?: AnyElysia;
}

export interface RunningEdge {
  readonly url: string;
  readonly edge: Edge;
  readonly app: ReturnType<typeof createApp>['app'];
  /** Starts draining: all requests are still served, and each connection is closed after its next response. */
  drain(): void;
  /** Stops accepting requests, waits for those in progress, and returns the leased rate-limit tokens. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const SWEEP_MS = 60_000;
const KEY_REPORT_MS = 5_000;
/** Set above every limit of the gates, which answer 413 with an error object; Bun itself would answer without one. */
const BODY_BYTES_MAX = 1024 * 1024 * 1024;
/**
 * Seconds until an idle connection is closed. Bun allows 12 s for the first request head of a connection, and this time
 * for later ones.
 */
const IDLE_TIMEOUT_S = 60;
/** Exceeds the deadline of every request except long polls, which are ended early. */
const SHUTDOWN_GRACE_MS = 16_000;
const HURRY_MS = 250;

/** Lists for each kind of notice what becomes stale at an edge. */
const noticeHandlers = ({
  freshness,
  principals,
  sessions,
  assistantStores,
  throttle,
  activity,
}: Edge): Required<NoticeHandlers> => {
  const copies = (notice: Notice): void => freshness.apply(notice);
  const copiesOfStore = ({ tenant }: Notice): void => freshness.apply({ kind: 'store', tenant, revision: 0, ids: [] });
  return {
    catalog: copies,
    review: copies,
    content: copies,
    shipping: copies,
    prices: copiesOfStore,
    clock: copiesOfStore,
    reset: copiesOfStore,
    sections: copiesOfStore,
    store: (notice) => {
      const { tenant } = notice;
      copiesOfStore(notice);
      principals.invalidate(tenant.store);
      assistantStores.invalidate(tenant.store);
      // Drops all cached sessions, because the store may now trust another identity provider.
      sessions.invalidate(tenant, []);
    },
    staff: ({ tenant }) => principals.invalidate(tenant.store),
    sessions: ({ tenant, ids }) => sessions.invalidate(tenant, ids ?? []),
    tokens: ({ tenant, ids }) => throttle.recall(tenant.store, ids ?? []),
    erasure: ({ tenant }) => activity.forget(tenant),
    customers: () => {},
  };
};

export function createEdge(options: Omit<EdgeOptions, 'host' | 'port' | 'publicUrl'>): Edge {
  const activity = new Activity();
  const throttle = new Throttle(options.wire);
  const freshness = new Freshness();
  const outage = new Outage(() => {
    freshness.clear();
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
    freshness,
    cache: new Cache(options.cacheBytesMax),
    outOfStock: new OutOfStockCache(freshness),
    sharedCache: options.redis && new SharedCache(options.redis),
    addresses: new ClientAddresses(options.trustedProxies),
    log: options.log,
    accessLog: createAccessLog(options.log, options.accessLog ?? 'off'),
    tickBatcher: new TickBatcher(),
    views: new Views(options.wire, options.log),
    keyUses: new KeyUses(options.wire, options.log),
    assistantStores: new AssistantStores(options.wire),
  };
  const dispatch = dispatchNotices([{ onNotice: noticeHandlers(edge) }], options.log);
  options.wire.listen((notice) => {
    if (notice !== null) return dispatch(notice);
    outage.linkChanged(options.wire.serves('Host'));
    edge.sessions.invalidateAll();
    edge.assistantStores.invalidateAll();
  });
  return edge;
}

/** Closes each connection after its response, so that its client reconnects, to another edge. */
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
  const ownUrl = (): string =>
    `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${app.server?.port}`;
  const publicUrl = (): string => options.publicUrl ?? ownUrl();
  const { app, warm } = createApp(
    edge,
    withWelcomePage(
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
  if (options.extraApp) app.use(options.extraApp);
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
    // Removes Bun's own routes, which would bypass `fetch`.
    server.reload({ routes: {}, fetch: closing(app.fetch) });
  };

  const ticker = setInterval(() => edge.throttle.tick(), TICK_MS);
  const keyReporter = setInterval(() => void edge.keyUses.report(), KEY_REPORT_MS);
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
      clearInterval(keyReporter);
      const hurry = setInterval(() => options.wire.cancelWaits(), HURRY_MS);
      const late = setTimeout(() => {
        options.log.warn({ requests: server.pendingRequests }, 'closed connections with unanswered requests');
        void server.stop(true);
      }, SHUTDOWN_GRACE_MS);
      options.wire.cancelWaits();
      await server.stop();
      clearTimeout(late);
      clearInterval(hurry);
      await edge.views.close();
      await edge.keyUses.close();
      await edge.throttle.close();
    },
  };
}
