// Assigns partitions to hosts by rendezvous hashing: each host broadcasts heartbeats with the partitions that it holds,
// and all hosts compute the same owners. A wrong view costs a reload but no data, since the journal rejects all writers
// but one.
import { Unavailable } from '#runtime/call/fault.ts';
import type { Timers } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { hash32 } from './address.ts';

export interface PlacementPeer {
  readonly id: string;
  readonly address: string;
}

/** `actor_log`: a log has lost data. `projection`: a projection has stalled. */
export type HealthIssue = 'actor_log' | 'projection';

export interface PlacementBus {
  readonly connected: boolean;
  onState(hear: (connected: boolean) => void): () => void;
  publish(subject: string, bytes: Uint8Array): boolean;
  subscribe(subject: string, hear: (bytes: Uint8Array) => void): () => void;
}

/** A partition and the real time in ms since which the host holds it. The later of two claims counts. */
type Claim = readonly [partition: number, since: number];

interface Heartbeat {
  readonly id: string;
  readonly address: string;
  readonly count: number;
  readonly leaving: boolean;
  readonly claims: readonly Claim[];
  readonly joining: boolean;
  readonly asks: boolean;
  readonly healthIssues?: readonly HealthIssue[];
  readonly layout: number;
}

interface Seen {
  heartbeat: Heartbeat;
  at: number;
}

export interface PlacementOptions {
  readonly self: PlacementPeer;
  readonly namespace: string;
  readonly bus: PlacementBus;
  readonly timers: Timers;
  readonly log: Log;
  readonly claims: () => readonly Claim[];
  readonly healthIssues: () => readonly HealthIssue[];
  readonly layout: () => number;
  readonly onLayout: (layout: number) => void;
  /**
   * Called when this host receives its own heartbeats again after a gap in which others may have taken its partitions.
   */
  readonly onReheard: () => void;
  readonly onDead: (peer: PlacementPeer) => void;
  readonly onChange: () => void;
}

const BEAT_MS = 250;
const DEAD_MS = 1_500;
/**
 * How long after its last received heartbeat a host can still count as alive everywhere; others may start counting one
 * interval earlier.
 */
const SURE_MS = DEAD_MS - BEAT_MS;
const PROOF_MS_MAX = 2 * DEAD_MS;
const LOOK_MS = 150;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class PartitionPlacement {
  readonly #options: PlacementOptions;
  readonly #subject: string;
  readonly #others = new Map<string, Seen>();
  readonly #stops: (() => void)[] = [];
  #cancelTick: () => void = () => {};
  #count = 0;
  #joining = true;
  #leaving = false;
  #stopped = false;
  readonly #sent = new Map<number, number>();
  #lastEchoAt = Number.NEGATIVE_INFINITY;
  #proof: Promise<void> | null = null;
  #onSure: () => void = () => {};

  constructor(options: PlacementOptions) {
    this.#options = options;
    this.#subject = `${options.namespace}.host`;
  }

  /** Joins. Resolves after a pause in which other hosts' heartbeats can arrive. */
  async start(): Promise<void> {
    const { bus, timers } = this.#options;
    this.#stops.push(
      bus.subscribe(this.#subject, (bytes) => this.#receive(bytes)),
      bus.onState((connected) => {
        if (!connected) return;
        // No heartbeat arrives while the bus is disconnected, so each host's time-out starts again.
        for (const seen of this.#others.values()) seen.at = timers.now();
        this.#sendHeartbeat(true);
      }),
    );
    this.#sendHeartbeat(true);
    this.#tick();
    await timers.sleep(LOOK_MS);
  }

  get others(): readonly PlacementPeer[] {
    return [...this.#others.values()].map(({ heartbeat }) => heartbeat);
  }

  get healthIssues(): readonly HealthIssue[] {
    return [...this.#others.values()].flatMap(({ heartbeat }) => heartbeat.healthIssues ?? []);
  }

  agrees(layout: number): boolean {
    return [...this.#others.values()].every(({ heartbeat }) => heartbeat.layout >= layout);
  }

  wants(partition: number): boolean {
    if (this.#leaving) return false;
    const { self } = this.#options;
    const own = placementWeight(self.id, partition);
    for (const { heartbeat } of this.#others.values()) {
      if (!isAvailable(heartbeat)) continue;
      const its = placementWeight(heartbeat.id, partition);
      if (its > own || (its === own && heartbeat.id > self.id)) return false;
    }
    return true;
  }

  claim(partition: number): { readonly peer: PlacementPeer; readonly since: number } | null {
    let found: { peer: PlacementPeer; since: number } | null = null;
    for (const { heartbeat } of this.#others.values())
      for (const [held, since] of heartbeat.claims)
        if (held === partition && (!found || since > found.since)) found = { peer: heartbeat, since };
    return found;
  }

  owner(partition: number): PlacementPeer | null {
    const claim = this.claim(partition);
    if (claim) return claim.peer;
    if (this.wants(partition)) return null;
    let best: PlacementPeer | null = null;
    let most = -1;
    for (const { heartbeat } of this.#others.values()) {
      if (!isAvailable(heartbeat)) continue;
      const its = placementWeight(heartbeat.id, partition);
      if (its > most || (its === most && best && heartbeat.id > best.id)) {
        best = heartbeat;
        most = its;
      }
    }
    return best;
  }

  /**
   * Whether this host has received its own heartbeats recently enough that no other host can have taken it for dead.
   */
  get sure(): boolean {
    return this.#options.timers.now() - this.#lastEchoAt < SURE_MS;
  }

  /**
   * Resolves when this host receives its own heartbeat, or the bus is disconnected. All callers share one wait, which
   * sends a heartbeat every `BEAT_MS` and throws after `PROOF_MS_MAX`.
   */
  becomeSure(): Promise<void> {
    this.#proof ??= this.#prove().finally(() => {
      this.#proof = null;
    });
    return this.#proof;
  }

  async #prove(): Promise<void> {
    const { bus, timers } = this.#options;
    const until = timers.now() + PROOF_MS_MAX;
    while (!this.sure && bus.connected && !this.#stopped) {
      if (timers.now() >= until) throw new Unavailable('This host is not heard on the bus.');
      this.#sendHeartbeat(true);
      await Promise.race([new Promise<void>((sure) => (this.#onSure = sure)), timers.sleep(BEAT_MS)]);
    }
  }

  announce(): void {
    this.#sendHeartbeat(false);
  }

  join(): void {
    this.#joining = false;
    this.#sendHeartbeat(true);
  }

  leave(): void {
    this.#leaving = true;
    this.#sendHeartbeat(false);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTick();
    for (const stop of this.#stops.splice(0)) stop();
  }

  #tick(): void {
    const { timers, onChange } = this.#options;
    this.#cancelTick = timers.after(BEAT_MS, () => {
      this.#tick();
      this.#sendHeartbeat(false);
      this.#dropDead();
      onChange();
    });
  }

  /**
   * Drops hosts after `DEAD_MS` without a heartbeat, but not while this host is disconnected or its own heartbeats do
   * not arrive.
   */
  #dropDead(): void {
    const { timers, bus, log, onDead } = this.#options;
    if (!bus.connected || !this.sure) return;
    for (const [id, { at, heartbeat }] of this.#others) {
      if (timers.now() - at < DEAD_MS) continue;
      this.#others.delete(id);
      log.warn({ host: id, address: heartbeat.address }, 'lost a host: no heartbeat');
      onDead(heartbeat);
    }
  }

  #sendHeartbeat(asks: boolean): void {
    const { self, bus, timers, claims, healthIssues, layout } = this.#options;
    if (this.#stopped) return;
    const count = ++this.#count;
    const [wrong, held] = [healthIssues(), claims()];
    const heartbeat: Heartbeat = {
      ...self,
      count,
      leaving: this.#leaving,
      joining: this.#joining,
      claims: held,
      asks,
      ...(wrong.length > 0 ? { healthIssues: wrong } : {}),
      layout: layout(),
    };
    if (!bus.publish(this.#subject, encoder.encode(JSON.stringify(heartbeat)))) return;
    this.#sent.set(count, timers.now());
    for (const [old, at] of this.#sent) {
      if (timers.now() - at < SURE_MS) break;
      this.#sent.delete(old);
    }
  }

  #receive(bytes: Uint8Array): void {
    const { self, timers, onChange, log, onLayout } = this.#options;
    const heartbeat: Heartbeat = JSON.parse(decoder.decode(bytes));
    if (heartbeat.id === self.id) {
      const lapsed = !this.sure;
      this.#lastEchoAt = Math.max(this.#lastEchoAt, this.#sent.get(heartbeat.count) ?? this.#lastEchoAt);
      if (lapsed && this.sure) this.#options.onReheard();
      if (this.sure) this.#onSure();
      return;
    }
    const before = this.#others.get(heartbeat.id)?.heartbeat;
    if (heartbeat.leaving && heartbeat.claims.length === 0) this.#others.delete(heartbeat.id);
    else this.#others.set(heartbeat.id, { heartbeat, at: timers.now() });
    if (!before && !heartbeat.leaving) log.info({ host: heartbeat.id, address: heartbeat.address }, 'found a host');
    if (heartbeat.asks) this.#sendHeartbeat(false);
    onLayout(heartbeat.layout);
    if (!before || isAvailable(before) !== isAvailable(heartbeat) || !same(before.claims, heartbeat.claims)) onChange();
  }
}

const isAvailable = ({ leaving, joining }: Heartbeat): boolean => !leaving && !joining;

const placementWeight = (id: string, partition: number): number => hash32(id, String(partition));

const same = (a: readonly Claim[], b: readonly Claim[]): boolean =>
  a.length === b.length && a.every(([partition, since], at) => b[at]?.[0] === partition && b[at]?.[1] === since);
