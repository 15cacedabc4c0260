// One edge: its gates put together over a wire to the services, listening until it is told to stop.
import type { Server } from 'bun';
import type { AnyElysia } from 'elysia';
import type { Wire } from '#runtime/link/frame.ts';
import type { Log } from '#runtime/log.ts';
import type { Cache as RedisCache } from '#runtime/redis.ts';
import { Activity } from './activity.ts';
import { createApp } from './app.ts';
import { type Door, openDoor } from './door/door.ts';
import type { Edge } from './endpoint.ts';
import { ClientAddresses } from './gates/address.ts';
import { Cache } from './gates/cache.ts';
import { Principals } from './gates/principal.ts';
import { Revisions } from './gates/revision.ts';
import { Sessions } from './gates/session.ts';
import { SharedCache } from './gates/shared_cache.ts';
import { SoldOut } from './gates/sold_out.ts';
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
  /** The edge's address in links that lead to it; null: the address that it listens on. */
  readonly publicUrl: string | null;
  readonly cacheBytesMax: number;
  /** Where the demo's keys are kept, for the page at `/`. */
  readonly demoFile?: string;
  /** What else this process answers: a bench's reference. */
  readonly beside?: AnyElysia;
}

export interface RunningEdge {
  readonly url: string;
  readonly edge: Edge;
  readonly app: ReturnType<typeof createApp>['app'];
  /** Takes nothing new, lets what runs end, gives back the tokens that it holds. */
  stop(): Promise<void>;
}

const TICK_MS = 1_000;
const SWEEP_MS = 60_000;
/** Bun answers larger bodies by itself, without our error object; the gates refuse them long before. */
const BODY_BYTES_MAX = 1024 * 1024 * 1024;
/** Seconds a connection may be silent: longer than proxies keep theirs. */
const IDLE_TIMEOUT_S = 75;
const DRAIN_MS = 10_000;
const LOOPBACK = '127.0.0.1';

export function createEdge(options: Omit<EdgeOptions, 'host' | 'port' | 'publicUrl'>): Edge {
  const activity = new Activity();
  const throttle = new Throttle(options.wire);
  const revisions = new Revisions();
  const edge: Edge = {
    wire: activity.answering(options.wire),
    activity,
    throttle,
    principals: new Principals(options.wire, throttle),
    sessions: new Sessions(options.wire),
    revisions,
    reviews: new Revisions(),
    contents: new Revisions(),
    cache: new Cache(options.cacheBytesMax),
    soldOut: new SoldOut(revisions),
    sharedCache: options.redis && new SharedCache(options.redis),
    addresses: new ClientAddresses(options.trustedProxies),
    log: options.log,
    turn: new Turn(),
    views: new Views(options.wire, options.log),
  };
  options.wire.listen((notice) => {
    if (notice === null) {
      edge.revisions.forget();
      edge.reviews.forget();
      edge.contents.forget();
      edge.principals.forgetAll();
      edge.sessions.forgetAll();
    } else if (notice.kind === 'store') {
      edge.principals.forget(notice.tenant.store);
      // It may believe others' words no more.
      edge.sessions.forget(notice.tenant, []);
    } else if (notice.kind === 'sessions') edge.sessions.forget(notice.tenant, notice.ids);
    else if (notice.kind === 'tokens') edge.throttle.recall(notice.tenant.store, notice.ids);
    else if (notice.kind === 'catalog') edge.revisions.hear(notice);
    else if (notice.kind === 'review') edge.reviews.hear(notice);
    else if (notice.kind === 'content') edge.contents.hear(notice);
  });
  return edge;
}

export function startEdge(options: EdgeOptions): RunningEdge {
  const edge = createEdge(options);
  // A proxy that is trusted has read the requests before, and sends each by itself.
  const alone = options.trustedProxies === '';
  let door: Door | null = null;
  /** Once it listens. */
  const ownUrl = (): string =>
    `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${door?.port ?? app.server?.port}`;
  const { app, warm } = createApp(
    edge,
    welcoming(
      metaAnswers(options.wire, options.redis, () => options.publicUrl ?? ownUrl()),
      options.demoFile ?? '',
    ),
    (port) => door?.addressOf(port),
  );
  if (options.beside) app.use(options.beside);
  app.listen({
    hostname: alone ? LOOPBACK : options.host,
    port: alone ? 0 : options.port,
    maxRequestBodySize: BODY_BYTES_MAX,
    idleTimeout: IDLE_TIMEOUT_S,
  });
  const server = app.server as Server<unknown>;
  if (alone) door = openDoor({ host: options.host, port: options.port, serverPort: server.port as number });
  void warm();

  const ticker = setInterval(() => edge.throttle.tick(), TICK_MS);
  const sweeper = setInterval(() => edge.throttle.sweep(Date.now()), SWEEP_MS);

  return {
    url: ownUrl(),
    edge,
    app,
    async stop() {
      clearInterval(ticker);
      clearInterval(sweeper);
      const late = setTimeout(() => {
        door?.close();
        void server.stop(true);
      }, DRAIN_MS);
      await door?.stop();
      await server.stop();
      clearTimeout(late);
      await edge.views.close();
      await edge.throttle.close();
    },
  };
}
