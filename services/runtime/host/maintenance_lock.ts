// Blocks calls of a sandbox during its reset, on the host that resets it: running calls finish first, later calls wait.
// The sandbox's row in runtime.sandbox locks out the transactions of all hosts, but not calls without a transaction:
// commands to actors, whose facts go to the journal, and reads of state in memory. Without this lock a cart could be
// filled between the reset of the actors and the deletion of the rows, and keep a product that no longer exists.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import type { Cancellation, LinkHost } from '#runtime/link/server.ts';

interface TenantGate {
  inside: number;
  left: (() => void) | null;
  closed: Promise<void> | null;
}

/** Calls between hosts are exempt, because a running call may need them. */
const OWN = 'ActorHost/';
const FOLLOWING = 'WebhookLog/ListEvents';

const isExempt = (rpc: string): boolean => rpc === FOLLOWING || rpc.startsWith(OWN);

export class MaintenanceLock {
  readonly #gates = new Map<TenantKey, TenantGate>();

  guard(host: LinkHost): LinkHost {
    return {
      hello: () => host.hello(),
      dispatch: (ask, cancellation) =>
        ask.caller.tenant.environment === 'sandbox' && !isExempt(ask.rpc)
          ? this.#enter(host, ask, cancellation)
          : host.dispatch(ask, cancellation),
    };
  }

  /**
   * Blocks new calls and waits until only the caller's call runs; throws after `withinMs`. Returns a function that
   * unblocks.
   */
  async close(tenant: Tenant, withinMs: number): Promise<() => void> {
    const key = tenantKey(tenant);
    const gate = this.#gate(key);
    if (gate.closed) throw new Error('This sandbox is closed already.');
    let opened = (): void => {};
    gate.closed = new Promise((done) => {
      opened = done;
    });
    const open = (): void => {
      gate.closed = null;
      gate.left = null;
      this.#forget(key, gate);
      opened();
    };
    const endsAt = performance.now() + withinMs;
    while (gate.inside > 1) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) {
        open();
        throw new Unavailable('Calls of this sandbox are still running.');
      }
      await new Promise<void>((done) => {
        const timer = setTimeout(done, leftMs);
        gate.left = () => {
          clearTimeout(timer);
          done();
        };
      });
    }
    return open;
  }

  #gate(key: TenantKey): TenantGate {
    const known = this.#gates.get(key);
    if (known) return known;
    const gate: TenantGate = { inside: 0, left: null, closed: null };
    this.#gates.set(key, gate);
    return gate;
  }

  #forget(key: TenantKey, gate: TenantGate): void {
    if (gate.inside === 0 && gate.closed === null) this.#gates.delete(key);
  }

  #enter(host: LinkHost, ask: Ask, cancellation: Cancellation): Answer | Promise<Answer> {
    const key = tenantKey(ask.caller.tenant);
    const gate = this.#gate(key);
    if (gate.closed) return gate.closed.then(() => this.#enter(host, ask, cancellation));
    const leave = (): void => {
      gate.inside--;
      gate.left?.();
      this.#forget(key, gate);
    };
    gate.inside++;
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
