// Tells who keeps copies of a tenant's catalogue that a newer revision exists: this host's listeners (the link passes
// it on to its edges) and, through the bus, every other host.
import { randomUUID } from 'node:crypto';
import type { Bus } from './bus.ts';
import type { Environment, Tenant } from './call.ts';
import type { Log } from './log.ts';

export interface Notice {
  readonly tenant: Tenant;
  /** The revision that now stands. */
  readonly revision: number;
  /** Ids of the products changed; null when anything of the tenant may have. */
  readonly subjects: readonly string[] | null;
}

export interface Notices {
  /** After a commit on this host: to local listeners at once, to other hosts over the bus. */
  publish(notice: Notice): void;
  /** Hears every notice, this host's own and others'. Returns how to stop. */
  listen(hear: (notice: Notice) => void): () => void;
  /**
   * While the bus is away other hosts' notices do not come: `run` looks for itself what changed, every half second and
   * once more when the bus is back. Returns how to stop.
   */
  pollWhileDisconnected(run: () => Promise<void> | void): () => void;
}

export interface NoticesOptions {
  readonly bus: Bus;
  readonly namespace: string;
  readonly log: Log;
}

/** Beyond this the list costs more than dropping all of the tenant's copies. */
const SUBJECTS_MAX = 2_000;
const POLL_MS = 500;

const read = (bytes: Uint8Array): { origin: string; notice: Notice } | null => {
  try {
    const { origin, store, environment, revision, subjects } = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof store !== 'string' || !Number.isSafeInteger(revision)) return null;
    if (environment !== 'production' && environment !== 'sandbox') return null;
    const tenant: Tenant = { store, environment: environment satisfies Environment };
    return { origin, notice: { tenant, revision, subjects: Array.isArray(subjects) ? subjects : null } };
  } catch {
    return null;
  }
};

export const createNotices = ({ bus, namespace, log }: NoticesOptions): Notices & { close(): void } => {
  const origin = randomUUID();
  const subject = `${namespace}.notice`;
  const listeners = new Set<(notice: Notice) => void>();
  const stops = new Set<() => void>();

  const tell = (notice: Notice): void => {
    for (const hear of listeners) {
      try {
        hear(notice);
      } catch (problem) {
        log.error({ err: problem }, 'a listener of notices failed');
      }
    }
  };

  stops.add(
    bus.subscribe(subject, (bytes) => {
      const message = read(bytes);
      if (!message) return log.warn({ bytes: bytes.length }, 'an unreadable notice came over the bus');
      if (message.origin !== origin) tell(message.notice);
    }),
  );

  return {
    publish: (notice) => {
      tell(notice);
      const { tenant, revision } = notice;
      const subjects = notice.subjects && notice.subjects.length <= SUBJECTS_MAX ? notice.subjects : null;
      const message = { origin, store: tenant.store, environment: tenant.environment, revision, subjects };
      bus.publish(subject, new TextEncoder().encode(JSON.stringify(message)));
    },
    listen: (hear) => {
      listeners.add(hear);
      return () => listeners.delete(hear);
    },
    pollWhileDisconnected: (run) => {
      let running = false;
      const poll = async (): Promise<void> => {
        if (running) return;
        running = true;
        try {
          await run();
        } catch (problem) {
          log.warn({ err: problem }, 'looking for changes failed');
        } finally {
          running = false;
        }
      };
      const timer = setInterval(() => {
        if (!bus.connected) void poll();
      }, POLL_MS);
      timer.unref();
      const unhear = bus.onState((connected) => {
        if (connected) void poll();
      });
      const stop = (): void => {
        clearInterval(timer);
        unhear();
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
