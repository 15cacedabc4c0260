// Which host owns which partition: every host says on the bus that it lives and what it holds, and all compute the same
// from it. A wrong view costs a reload, never data: the journal fences.
import { Unavailable } from '#runtime/call/fault.ts';
import type { Log } from '#runtime/process/log.ts';
import { hash32 } from './address.ts';
import type { Timers } from './timer.ts';

export interface PlacementPeer {
  readonly id: string;
  /** Where its link is served. */
  readonly address: string;
}

/** What may be wrong with a host's partitions: a log has a gap, or a projection stands still. */
export type HealthIssue = 'actor_log' | 'projection';

/** The bus, as placement needs it. */
export interface PlacementBus {
  readonly connected: boolean;
  onState(hear: (connected: boolean) => void): () => void;
  publish(subject: string, bytes: Uint8Array): boolean;
  subscribe(subject: string, hear: (bytes: Uint8Array) => void): () => void;
}

/** A partition held, and since when in real ms: of two who hold it the later one is right. */
type Claim = readonly [partition: number, since: number];

interface Heartbeat {
  readonly id: string;
  readonly address: string;
  readonly count: number;
  /** It gives everything away. */
  readonly leaving: boolean;
  readonly claims: readonly Claim[];
  /** It looks round still, and takes nothing yet. */
  readonly joining: boolean;
  /** Wants to hear everybody at once. */
  readonly asks: boolean;
  /** Absent where nothing is wrong. */
  readonly healthIssues?: readonly HealthIssue[];
  /** The version of the layout that it knows. */
  readonly layout: number;
}

interface Seen {
  heartbeat: Heartbeat;
  /** Monotonic. */
  at: number;
}

export interface PlacementOptions {
  readonly self: PlacementPeer;
  readonly namespace: string;
  readonly bus: PlacementBus;
  readonly timers: Timers;
  readonly log: Log;
  /** What is held here, and since when. */
  readonly claims: () => readonly Claim[];
  /** What is wrong here. */
  readonly healthIssues: () => readonly HealthIssue[];
  /** The version of the layout that is known here. */
  readonly layout: () => number;
  /** Hears which one another host knows. */
  readonly onLayout: (layout: number) => void;
  /** This host was not heard for so long that others may have taken its partitions, and now it is heard again. */
  readonly onReheard: () => void;
  /** A host is not heard any more. */
  readonly onDead: (peer: PlacementPeer) => void;
  /** Hears that hosts or their claims changed, and often otherwise. */
  readonly onChange: () => void;
}

const BEAT_MS = 250;
const DEAD_MS = 1_500;
/** Others may count from a little earlier than we do. */
const SURE_MS = DEAD_MS - BEAT_MS;
/** As long as it takes others to take a host for dead, twice. */
const PROOF_MS_MAX = 2 * DEAD_MS;
/** Time for everybody who lives to say so. */
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
  /** When our newest beats were sent, by count. */
  readonly #sent = new Map<number, number>();
  /** When the last of our own beats was sent that we heard ourselves. */
  #lastEchoAt = Number.NEGATIVE_INFINITY;
  /** The wait of all callers who are not sure. */
  #proof: Promise<void> | null = null;
  /** Ends its rest once this host is sure. */
  #onSure: () => void = () => {};

  constructor(options: PlacementOptions) {
    this.#options = options;
    this.#subject = `${options.namespace}.host`;
  }

  /** Takes part; resolves once there was time to hear who else lives. */
  async start(): Promise<void> {
    const { bus, timers } = this.#options;
    this.#stops.push(
      bus.subscribe(this.#subject, (bytes) => this.#receive(bytes)),
      bus.onState((connected) => {
        if (!connected) return;
        // No host could be heard meanwhile: that makes none dead.
        for (const seen of this.#others.values()) seen.at = timers.now();
        this.#sendHeartbeat(true);
      }),
    );
    this.#sendHeartbeat(true);
    this.#tick();
    await timers.sleep(LOOK_MS);
  }

  /** Other hosts that live. */
  get others(): readonly PlacementPeer[] {
    return [...this.#others.values()].map(({ heartbeat }) => heartbeat);
  }

  /** What others say is wrong with them. */
  get healthIssues(): readonly HealthIssue[] {
    return [...this.#others.values()].flatMap(({ heartbeat }) => heartbeat.healthIssues ?? []);
  }

  /** Whether all other hosts know of a layout as new as this. */
  agrees(layout: number): boolean {
    return [...this.#others.values()].every(({ heartbeat }) => heartbeat.layout >= layout);
  }

  /** Whether the partition should be held here. */
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

  /** Another live host's claim, the latest one. */
  claim(partition: number): { readonly peer: PlacementPeer; readonly since: number } | null {
    let found: { peer: PlacementPeer; since: number } | null = null;
    for (const { heartbeat } of this.#others.values())
      for (const [held, since] of heartbeat.claims)
        if (held === partition && (!found || since > found.since)) found = { peer: heartbeat, since };
    return found;
  }

  /** Who should be asked: the other host that holds it, or the one that should. Null: no other. */
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

  /** No other host can have taken this one for dead by now. */
  get sure(): boolean {
    return this.#options.timers.now() - this.#lastEchoAt < SURE_MS;
  }

  /**
   * Waits until this host has heard itself, or until the bus is known to be away. All callers share one wait, which sends
   * a beat every `BEAT_MS` however many there are; it throws where the bus seems to be there and this host stays unheard.
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
      await Promise.race([new Promise<void>((heard) => (this.#onSure = heard)), timers.sleep(BEAT_MS)]);
    }
  }

  /** What is held here changed: everybody hears it at once. */
  announce(): void {
    this.#sendHeartbeat(false);
  }

  /** From now on others leave to this host what should be held here. */
  join(): void {
    this.#joining = false;
    // Where the bus was not there yet, it asks again once it is.
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

  /** Who was not heard for long is dead, unless no host can be heard, or this host stood still and has to listen first. */
  #dropDead(): void {
    const { timers, bus, log, onDead } = this.#options;
    if (!bus.connected || !this.sure) return;
    for (const [id, { at, heartbeat }] of this.#others) {
      if (timers.now() - at < DEAD_MS) continue;
      this.#others.delete(id);
      log.warn({ host: id, address: heartbeat.address }, 'a host is not heard any more');
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
    // Older ones would not make this host sure any more.
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
    // A host that left says so with its last word.
    if (heartbeat.leaving && heartbeat.claims.length === 0) this.#others.delete(heartbeat.id);
    else this.#others.set(heartbeat.id, { heartbeat, at: timers.now() });
    if (!before && !heartbeat.leaving) log.info({ host: heartbeat.id, address: heartbeat.address }, 'a host is heard');
    if (heartbeat.asks) this.#sendHeartbeat(false);
    onLayout(heartbeat.layout);
    if (!before || isAvailable(before) !== isAvailable(heartbeat) || !same(before.claims, heartbeat.claims)) onChange();
  }
}

/** Whether partitions are left to it. */
const isAvailable = ({ leaving, joining }: Heartbeat): boolean => !leaving && !joining;

const placementWeight = (id: string, partition: number): number => hash32(id, String(partition));

const same = (a: readonly Claim[], b: readonly Claim[]): boolean =>
  a.length === b.length && a.every(([partition, since], at) => b[at]?.[0] === partition && b[at]?.[1] === since);
