// Publishes notices that cached copies are stale: to listeners on this host at once, to other hosts over the bus. A
// lost notice only delays freshness, since each copy expires.
import { randomUUID } from 'node:crypto';
import { type Environment, type NoticeKind, type Tenant, tenantKey } from '#runtime/call/call.ts';
import type { Log } from '#runtime/process/log.ts';
import { throttledLog } from '#runtime/process/throttled_log.ts';
import type { Bus } from './bus.ts';

export interface Notice {
  readonly kind: NoticeKind;
  readonly tenant: Tenant;
  readonly revision: number;
  /** Ids of what changed; null: anything may have changed. */
  readonly ids: readonly string[] | null;
}

/** Handlers of a domain or an edge, by kind of notices. */
export type NoticeHandlers = { readonly [K in NoticeKind]?: (notice: Notice) => unknown };

/** Returns a listener that passes each notice to the handlers of its kind and logs their failures. */
export const dispatchNotices = (
  owners: readonly { readonly onNotice?: NoticeHandlers }[],
  log: Log,
): ((notice: Notice) => void) => {
  const tables = owners.flatMap(({ onNotice = [] }) => onNotice);
  const sparing = throttledLog(log);
  return (notice) => {
    const { kind, tenant } = notice;
    const failed = (problem: unknown): void =>
      sparing.warn(`${kind} ${problem}`, { err: problem, kind, tenant: tenantKey(tenant) }, 'failed to apply a notice');
    for (const { [kind]: handle } of tables) if (handle) Promise.try(handle, notice).catch(failed);
  };
};

export type NewNotice = Pick<Notice, 'kind' | 'tenant'> & Partial<Notice>;

const noticeOf = ({ kind, tenant, revision = 0, ids = [] }: NewNotice): Notice => ({ kind, tenant, revision, ids });

export interface Notices {
  publish(notice: NewNotice): void;
  /**
   * Publishes a notice. Resolves once every other live host has processed it and all earlier ones, or after `withinMs`.
   */
  publishAcknowledged(notice: NewNotice, withinMs: number): Promise<void>;
  listen(listener: (notice: Notice) => void): () => void;
  /**
   * Calls `run` every half second while the bus is disconnected, and once after it reconnects. Returns a function that
   * stops this.
   */
  pollWhileDisconnected(run: () => Promise<void> | void): () => void;
}

export interface NoticesOptions {
  readonly bus: Bus;
  readonly namespace: string;
  readonly log: Log;
  readonly others?: () => number;
}

/** Limit of ids in a notice: processing a longer list costs more than dropping all of the tenant's copies. */
const IDS_MAX = 2_000;
const POLL_MS = 500;
const NO_BYTES = new Uint8Array();

interface Message {
  readonly origin: string;
  readonly notice: Notice;
  readonly ackSubject: string | null;
}

const read = (bytes: Uint8Array): Message | null => {
  try {
    const { origin, kind, store, environment, revision, ids, ack_to } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof kind !== 'string' || typeof store !== 'string' || !Number.isSafeInteger(revision)) return null;
    if (environment !== 'production' && environment !== 'sandbox') return null;
    const tenant: Tenant = { store, environment: environment satisfies Environment };
    const notice: Notice = { kind: kind as Notice['kind'], tenant, revision, ids: Array.isArray(ids) ? ids : null };
    return { origin, notice, ackSubject: typeof ack_to === 'string' ? ack_to : null };
  } catch {
    return null;
  }
};

export const createNotices = (options: NoticesOptions): Notices & { close(): void } => {
  const { bus, namespace, log, others = () => 0 } = options;
  const origin = randomUUID();
  const subject = `${namespace}.notice`;
  const ackPrefix = `${subject}.ack.${origin}`;
  const listeners = new Set<(notice: Notice) => void>();
  const stops = new Set<() => void>();

  const deliver = (notice: Notice): void => {
    for (const listener of listeners) {
      try {
        listener(notice);
      } catch (problem) {
        log.error({ err: problem }, 'failed to run a listener of notices');
      }
    }
  };

  stops.add(
    bus.subscribe(subject, (bytes) => {
      const message = read(bytes);
      if (!message) return log.warn({ bytes: bytes.length }, 'received an unreadable notice');
      if (message.origin === origin) return;
      deliver(message.notice);
      if (message.ackSubject !== null) bus.publish(message.ackSubject, NO_BYTES);
    }),
  );

  const send = (notice: NewNotice, ackSubject: string | null): void => {
    const { kind, tenant, revision, ids } = noticeOf(notice);
    deliver({ kind, tenant, revision, ids });
    const named = ids && ids.length <= IDS_MAX ? ids : null;
    const message = { origin, kind, store: tenant.store, environment: tenant.environment, revision, ids: named };
    const sent = ackSubject === null ? message : { ...message, ack_to: ackSubject };
    bus.publish(subject, new TextEncoder().encode(JSON.stringify(sent)));
  };

  const awaited = new Map<string, () => void>();
  stops.add(bus.subscribe(`${ackPrefix}.*`, (_bytes, name) => awaited.get(name)?.()));

  return {
    publish: (notice) => send(notice, null),
    publishAcknowledged: async (notice, withinMs) => {
      let missing = others();
      if (missing === 0) return send(notice, null);
      const name = `${ackPrefix}.${randomUUID()}`;
      const acknowledged = new Promise<void>((done) => {
        awaited.set(name, () => {
          if (--missing === 0) done();
        });
      });
      send(notice, name);
      await Promise.race([acknowledged, Bun.sleep(withinMs)]);
      awaited.delete(name);
      if (missing > 0) log.debug({ missing }, 'failed to get all acknowledgements of a notice in time');
    },
    listen: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pollWhileDisconnected: (run) => {
      let running = false;
      const poll = async (): Promise<void> => {
        if (running) return;
        running = true;
        try {
          await run();
        } catch (problem) {
          log.warn({ err: problem }, 'failed to poll for changes');
        } finally {
          running = false;
        }
      };
      let timer: ReturnType<typeof setInterval> | undefined;
      const follow = (connected: boolean): void => {
        clearInterval(timer);
        timer = connected ? undefined : setInterval(() => void poll(), POLL_MS).unref();
      };
      follow(bus.connected);
      const unsubscribe = bus.onState((connected) => {
        follow(connected);
        if (connected) void poll();
      });
      const stop = (): void => {
        clearInterval(timer);
        unsubscribe();
        stops.delete(stop);
      };
      stops.add(stop);
      return stop;
    },
    close: () => {
      for (const stop of [...stops]) stop();
      listeners.clear();
    },
  };
};
