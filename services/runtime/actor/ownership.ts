// Takes the partitions that placement assigns to this host, and releases those assigned to others.
import type { LayoutView } from './layout_view.ts';
import type { PartitionPorts } from './owner.ts';
import { Partition } from './partition.ts';
import type { PartitionPlacement } from './placement.ts';

export interface OwnershipOptions extends PartitionPorts {
  readonly layout: LayoutView;
  readonly placement: PartitionPlacement;
  readonly connected: () => boolean;
}

/** How long this host waits for another host to release a partition before it takes the partition anyway. */
const HAND_OFF_MS = 2_000;
const RELEASE_MS = 1_000;

export interface HeldPartition {
  readonly partition: Partition;
  readonly since: number;
}

export class Ownership {
  readonly #options: OwnershipOptions;
  readonly #held = new Map<number, HeldPartition>();
  /** Since when another host holds a partition that is assigned to this host, in ms of the monotonic clock. */
  readonly #awaited = new Map<number, number>();
  readonly #releasing = new Map<number, Promise<void>>();
  readonly #sealed = new Set<number>();
  /** Whether a log is being closed. Logs are closed one at a time, since callers of each wait meanwhile. */
  #ending = false;

  constructor(options: OwnershipOptions) {
    this.#options = options;
  }

  get(number: number): Partition | undefined {
    return this.#held.get(number)?.partition;
  }

  get claims(): (readonly [partition: number, since: number])[] {
    return Array.from(this.#held, ([partition, { since }]) => [partition, since] as const);
  }

  get partitions(): Partition[] {
    return Array.from(this.#held.values(), ({ partition }) => partition);
  }

  reconcile(): void {
    const { numbers, retiring } = this.#options.layout.current;
    for (const [number, held] of this.#held) if (!numbers.includes(number)) void this.#drop(number, held);
    for (const number of numbers) if (!this.#sealed.has(number)) this.#settle(number);
    if (retiring.length > 0) void this.#retire(retiring);
  }

  async releaseAll(): Promise<void> {
    for (const number of [...this.#held.keys()]) await this.#release(number);
  }

  async closeAll(): Promise<void> {
    const held = this.partitions;
    this.#held.clear();
    await Promise.all(held.map((partition) => partition.close()));
  }

  #settle(number: number): void {
    const { timers, placement, connected } = this.#options;
    const held = this.#held.get(number);
    const claim = placement.claim(number);
    const wanted = placement.wants(number);
    if (held) {
      // The later of two owners wins: it started from everything in the journal.
      if (claim && claim.since > held.since) void this.#drop(number, held);
      else if (!wanted) void this.#release(number);
      return;
    }
    if (!wanted || !connected()) {
      this.#awaited.delete(number);
      return;
    }
    if (claim) {
      const since = this.#awaited.get(number) ?? timers.now();
      this.#awaited.set(number, since);
      if (timers.now() - since < HAND_OFF_MS) return;
    }
    this.#take(number);
  }

  /** Closes a log of the previous epoch, once all hosts know the new layout and all new logs have owners. */
  async #retire(retiring: readonly number[]): Promise<void> {
    const { layout, placement } = this.#options;
    if (this.#ending || !placement.agrees(layout.current.begin)) return;
    const next = layout.current.numbers.filter((number) => !retiring.includes(number));
    if (!next.every((number) => this.get(number)?.serving ?? placement.claim(number))) return;
    const partition = retiring.map((number) => this.get(number)).find((held) => held?.serving);
    if (!partition) return;
    this.#ending = true;
    await partition.end();
    this.#ending = false;
    this.reconcile();
  }

  #take(number: number): void {
    const { clock, log, placement, layout } = this.#options;
    this.#awaited.delete(number);
    const sealed = (): void => {
      if (this.get(number) === partition) this.#held.delete(number);
      this.#sealed.add(number);
      layout.refreshSoon();
    };
    const partition: Partition = new Partition(number, this.#options, () => placement.announce(), sealed);
    this.#held.set(number, { partition, since: clock.real() });
    log.info({ partition: number }, 'took a partition');
    placement.announce();
  }

  async #drop(number: number, { partition }: HeldPartition): Promise<void> {
    this.#options.log.info({ partition: number }, 'lost a partition to another host');
    this.#held.delete(number);
    await partition.close();
  }

  /**
   * Releases a partition. The host claims it until everything is projected, so that the next owner need not replay
   * records.
   */
  #release(number: number): Promise<void> {
    const held = this.#held.get(number);
    if (!held) return Promise.resolve();
    let releasing = this.#releasing.get(number);
    if (!releasing) {
      releasing = held.partition.release(RELEASE_MS).then(() => {
        this.#releasing.delete(number);
        if (this.#held.get(number) === held) this.#held.delete(number);
        this.#options.log.info({ partition: number }, 'released a partition');
        this.#options.placement.announce();
      });
      this.#releasing.set(number, releasing);
    }
    return releasing;
  }
}
