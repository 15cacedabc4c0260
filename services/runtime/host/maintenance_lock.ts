// Keeps the callers of a sandbox out while it begins anew: who is in ends first, who comes waits at the door.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import type { Cancellation, LinkHost } from '#runtime/link/server.ts';

interface Hall {
  inside: number;
  /** Told when a call leaves, while another waits for that. */
  left: (() => void) | null;
  /** Until it is open again. */
  closed: Promise<void> | null;
}

/** What hosts say to each other: a call inside may need it. */
const OWN = 'ActorHost/';
/** Waits for events for seconds, and changes nothing. */
const FOLLOWING = 'WebhookLog/ListEvents';

const goesThrough = (rpc: string): boolean => rpc === FOLLOWING || rpc.startsWith(OWN);

export class MaintenanceLock {
  readonly #halls = new Map<TenantKey, Hall>();

  /** The host as callers outside reach it. Production passes without a look. */
  guard(host: LinkHost): LinkHost {
    return {
      hello: () => host.hello(),
      dispatch: (ask, cancellation) =>
        ask.caller.tenant.environment === 'sandbox' && !goesThrough(ask.rpc)
          ? this.#enter(host, ask, cancellation)
          : host.dispatch(ask, cancellation),
    };
  }

  /**
   * Closes the door and resolves once the caller alone is in; throws where that takes too long. Returns how to open
   * it again.
   */
  async close(tenant: Tenant, withinMs: number): Promise<() => void> {
    const key = tenantKey(tenant);
    const hall = this.#hall(key);
    if (hall.closed) throw new Error('This sandbox is closed already.');
    let opened = (): void => {};
    hall.closed = new Promise((done) => {
      opened = done;
    });
    const open = (): void => {
      hall.closed = null;
      hall.left = null;
      this.#forget(key, hall);
      opened();
    };
    const endsAt = performance.now() + withinMs;
    while (hall.inside > 1) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) {
        open();
        throw new Unavailable('Calls of this sandbox are still running.');
      }
      await new Promise<void>((done) => {
        const timer = setTimeout(done, leftMs);
        hall.left = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    return open;
  }

  #hall(key: TenantKey): Hall {
    const known = this.#halls.get(key);
    if (known) return known;
    const hall: Hall = { inside: 0, left: null, closed: null };
    this.#halls.set(key, hall);
    return hall;
  }

  #forget(key: TenantKey, hall: Hall): void {
    if (hall.inside === 0 && hall.closed === null) this.#halls.delete(key);
  }

  #enter(host: LinkHost, ask: Ask, cancellation: Cancellation): Answer | Promise<Answer> {
    const key = tenantKey(ask.caller.tenant);
    const hall = this.#hall(key);
    if (hall.closed) return hall.closed.then(() => this.#enter(host, ask, cancellation));
    const leave = (): void => {
      hall.inside--;
      hall.left?.();
      this.#forget(key, hall);
    };
    hall.inside++;
    let answer: Answer | Promise<Answer>;
    try {
      answer = host.dispatch(ask, cancellation);
    } catch (problem) {
      leave();
      throw problem;
    }
    if (answer instanceof Promise) return answer.finally(leave);
    leave();
    return answer;
  }
}
