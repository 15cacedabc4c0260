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
  readonly looking: boolean;
  /** Wants to hear everybody at once. */
  readonly asks: boolean;
  /** Absent where nothing is wrong. */
  readonly ailments?: readonly HealthIssue[];
  /** The version of the layout that it knows. */
  readonly layout: number;
}

interface Seen {
  beat: Heartbeat;
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
  readonly ailments: () => readonly HealthIssue[];
  /** The version of the layout that is known here. */
  readonly layout: () => number;
  /** Hears which one another host knows. */
  readonly heard: (layout: number) => void;
  /** This host was not heard for so long that others may have taken its partitions, and now it is heard again. */
  readonly lapsed: () => void;
  /** A host is not heard any more. */
  readonly dead: (peer: PlacementPeer) => void;
  /** Hears that hosts or their claims changed, and often otherwise. */
  readonly changed: () => void;
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
  #looking = true;
  #leaving = false;
  #stopped = false;
  /** When our newest beats were sent, by count. */
  readonly #sent = new Map<number, number>();
  /** When the last of our own beats was sent that we heard ourselves. */
  #heardAt = Number.NEGATIVE_INFINITY;
  /** The wait of all callers who are not sure. */
  #proof: Promise<void> | null = null;
  /** Ends its rest once this host is sure. */
  #heard: () => void = () => {};

  constructor(options: PlacementOptions) {
    this.#options = options;
    this.#subject = `${options.namespace}.host`;
  }

  /** Takes part; resolves once there was time to hear who else lives. */
  async start(): Promise<void> {
    const { bus, timers } = this.#options;
    this.#stops.push(
      bus.subscribe(this.#subject, (bytes) => this.#hear(bytes)),
      bus.onState((connected) => {
        if (!connected) return;
        // No host could be heard meanwhile: that makes none dead.
        for (const seen of this.#others.values()) seen.at = timers.now();
        this.#beat(true);
      }),
    );
    this.#beat(true);
    this.#tick();
    await timers.sleep(LOOK_MS);
  }

  /** Other hosts that live. */
  get others(): readonly PlacementPeer[] {
    return [...this.#others.values()].map(({ beat }) => beat);
  }

  /** What others say is wrong with them. */
  get ailments(): readonly HealthIssue[] {
    return [...this.#others.values()].flatMap(({ beat }) => beat.ailments ?? []);
  }

  /** Whether all other hosts know of a layout as new as this. */
  agrees(layout: number): boolean {
    return [...this.#others.values()].every(({ beat }) => beat.layout >= layout);
  }

  /** Whether the partition should be held here. */
  wants(partition: number): boolean {
    if (this.#leaving) return false;
    const { self } = this.#options;
    const own = weigh(self.id, partition);
    for (const { beat } of this.#others.values()) {
      if (!takes(beat)) continue;
      const its = weigh(beat.id, partition);
      if (its > own || (its === own && beat.id > self.id)) return false;
    }
    return true;
  }

  /** Another live host's claim, the latest one. */
  claim(partition: number): { readonly peer: PlacementPeer; readonly since: number } | null {
    let found: { peer: PlacementPeer; since: number } | null = null;
    for (const { beat } of this.#others.values())
      for (const [held, since] of beat.claims)
        if (held === partition && (!found || since > found.since)) found = { peer: beat, since };
    return found;
  }

  /** Who should be asked: the other host that holds it, or the one that should. Null: no other. */
  owner(partition: number): PlacementPeer | null {
    const claim = this.claim(partition);
    if (claim) return claim.peer;
    if (this.wants(partition)) return null;
    let best: PlacementPeer | null = null;
    let most = -1;
    for (const { beat } of this.#others.values()) {
      if (!takes(beat)) continue;
      const its = weigh(beat.id, partition);
      if (its > most || (its === most && best && beat.id > best.id)) {
        best = beat;
        most = its;
      }
    }
    return best;
  }

  /** No other host can have taken this one for dead by now. */
  get sure(): boolean {
    return this.#options.timers.now() - this.#heardAt < SURE_MS;
  }

  /**
   * Waits until this host has heard itself, or until the bus is known to be away. All callers share one wait, which sends
   * a beat every `BEAT_MS` however many there are; it throws where the bus seems to be there and this host stays unheard.
   */
  makeSure(): Promise<void> {
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
      this.#beat(true);
      await Promise.race([new Promise<void>((heard) => (this.#heard = heard)), timers.sleep(BEAT_MS)]);
    }
  }

  /** What is held here changed: everybody hears it at once. */
  tell(): void {
    this.#beat(false);
  }

  /** From now on others leave to this host what should be held here. */
  take(): void {
    this.#looking = false;
    // Where the bus was not there yet, it asks again once it is.
    this.#beat(true);
  }

  leave(): void {
    this.#leaving = true;
    this.#beat(false);
  }

  stop(): void {
    this.#stopped = true;
    this.#cancelTick();
    for (const stop of this.#stops.splice(0)) stop();
  }

  #tick(): void {
    const { timers, changed } = this.#options;
    this.#cancelTick = timers.after(BEAT_MS, () => {
      this.#tick();
      this.#beat(false);
      this.#dropDead();
      changed();
    });
  }

  /** Who was not heard for long is dead, unless no host can be heard, or this host stood still and has to listen first. */
  #dropDead(): void {
    const { timers, bus, log, dead } = this.#options;
    if (!bus.connected || !this.sure) return;
    for (const [id, { at, beat }] of this.#others) {
      if (timers.now() - at < DEAD_MS) continue;
      this.#others.delete(id);
      log.warn({ host: id, address: beat.address }, 'a host is not heard any more');
      dead(beat);
    }
  }

  #beat(asks: boolean): void {
    const { self, bus, timers, claims, ailments, layout } = this.#options;
    if (this.#stopped) return;
    const count = ++this.#count;
    const [wrong, held] = [ailments(), claims()];
    const beat: Heartbeat = {
      ...self,
      count,
      leaving: this.#leaving,
      looking: this.#looking,
      claims: held,
      asks,
      ...(wrong.length > 0 ? { ailments: wrong } : {}),
      layout: layout(),
    };
    if (!bus.publish(this.#subject, encoder.encode(JSON.stringify(beat)))) return;
    this.#sent.set(count, timers.now());
    // Older ones would not make this host sure any more.
    for (const [old, at] of this.#sent) {
      if (timers.now() - at < SURE_MS) break;
      this.#sent.delete(old);
    }
  }

  #hear(bytes: Uint8Array): void {
    const { self, timers, changed, log, heard } = this.#options;
    const beat: Heartbeat = JSON.parse(decoder.decode(bytes));
    if (beat.id === self.id) {
      const lapsed = !this.sure;
      this.#heardAt = Math.max(this.#heardAt, this.#sent.get(beat.count) ?? this.#heardAt);
      if (lapsed && this.sure) this.#options.lapsed();
      if (this.sure) this.#heard();
      return;
    }
    const before = this.#others.get(beat.id)?.beat;
    // A host that left says so with its last word.
    if (beat.leaving && beat.claims.length === 0) this.#others.delete(beat.id);
    else this.#others.set(beat.id, { beat, at: timers.now() });
    if (!before && !beat.leaving) log.info({ host: beat.id, address: beat.address }, 'a host is heard');
    if (beat.asks) this.#beat(false);
    heard(beat.layout);
    if (!before || takes(before) !== takes(beat) || !same(before.claims, beat.claims)) changed();
  }
}

/** Whether partitions are left to it. */
const takes = ({ leaving, looking }: Heartbeat): boolean => !leaving && !looking;

const weigh = (id: string, partition: number): number => hash32(id, String(partition));

const same = (a: readonly Claim[], b: readonly Claim[]): boolean =>
  a.length === b.length && a.every(([partition, since], at) => b[at]?.[0] === partition && b[at]?.[1] === since);
