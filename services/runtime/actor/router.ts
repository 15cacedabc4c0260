// Routes commands to the partition's owner, on this host or another.

import type { Call, Idempotency, Refusal, Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { CommandEnvelope, type CommandOptions, type CommandResult, keyOf } from './actor_instance.ts';
import type { Address } from './address.ts';
import { Alarms, type AlarmsOptions } from './alarm.ts';
import type { ActorCall, Actors, Fired, IdempotentCall } from './host.ts';
import { idempotentCall } from './idempotent_call.ts';
import { JournalTrim } from './journal_trim.ts';
import type { ActorKind, AnyKind } from './kind.ts';
import { exportActorCounts, exportOwnedPartitions } from './measure.ts';
import type { PartitionPorts } from './owner.ts';
import { Ownership } from './ownership.ts';
import { NotOwner, type Partition } from './partition.ts';
import { actorCountsOf, healthIssuesOf, ownedPartitionsOf } from './partition_health.ts';
import type { KeepMessage, PeerHandler, Peers, TellMessage } from './peer.ts';
import { type HealthIssue, PartitionPlacement, type PlacementBus, type PlacementPeer } from './placement.ts';
import { ActorReindex } from './reindex.ts';

export interface RouterOptions extends PartitionPorts {
  readonly self: PlacementPeer;
  readonly namespace: string;
  readonly commits: AlarmsOptions['commits'];
  readonly bus: PlacementBus;
  readonly peers: Peers;
}

const WARM_MS = 1_000;
const OWNER_LOOKED_UP_AGAIN_MS = 10;
const AGAIN_MS_MAX = 3_000;

export class Router implements Actors {
  readonly #options: RouterOptions;
  readonly #placement: PartitionPlacement;
  readonly #alarms: Alarms;
  readonly #journalTrim: JournalTrim;
  readonly #reindex: ActorReindex;
  readonly #ownership: Ownership;
  #phase: 'starting' | 'taking' | 'leaving' | 'stopped' = 'starting';
  #stopMeasures: readonly (() => void)[] = [];
  #last: { readonly address: Address | null; readonly partition: number } = { address: null, partition: 0 };
  readonly #keyless: IdempotentCall = {
    actors: this,
    replayed: false,
    response: null,
    storedResponse: async () => null,
    storeResponse: () => {},
  };

  constructor(options: RouterOptions) {
    this.#options = options;
    this.#placement = new PartitionPlacement({
      ...options,
      claims: () => this.#ownership.claims,
      healthIssues: () => this.#ownHealthIssues(),
      onChange: () => this.#reconcile(),
      layout: () => options.layout.current.version,
      onLayout: (version) => options.layout.noteVersion(version),
      onDead: (peer) => options.peers.drop(peer),
      onReheard: () => {
        for (const partition of this.#owned) partition.prove();
      },
    });
    this.#ownership = new Ownership({
      ...options,
      placement: this.#placement,
      connected: () => options.bus.connected,
    });
    this.#alarms = new Alarms({
      ...options,
      partitions: () => this.#owned,
      partition: (address) => this.#ownership.get(this.#partitionOf(address)),
    });
    this.#journalTrim = new JournalTrim({ ...options, held: () => this.#owned });
    this.#reindex = new ActorReindex({ ...options, owns: (number) => this.#ownership.get(number) !== undefined });
  }

  async start(): Promise<void> {
    this.#stopMeasures = [
      exportActorCounts(() => actorCountsOf(this.#owned)),
      exportOwnedPartitions(() => ownedPartitionsOf(this.#owned, this.#options.layout.current)),
    ];
    await Promise.all([this.#placement.start(), this.#warm()]);
    if (this.#phase !== 'starting') return;
    this.#phase = 'taking';
    this.#placement.join();
    this.#options.layout.start(() => this.#layoutChanged());
    this.#reconcile();
    this.#alarms.start();
    this.#journalTrim.start();
    this.#reindex.start();
  }

  /**
   * Sends first queries to Postgres and the journal, because those are slow and actors that move here should not wait
   * for them.
   */
  async #warm(): Promise<void> {
    const { journal, snapshots, timers } = this.#options;
    const asked = Promise.allSettled([journal.head(), snapshots.position(0), snapshots.load([])]);
    await Promise.race([asked, timers.sleep(WARM_MS)]);
  }

  async handOver(): Promise<void> {
    if (this.#placement.others.length > 0) await this.#leave();
  }

  async stop(): Promise<void> {
    await this.#leave();
    await this.kill();
    await this.#options.peers.close();
  }

  async #leave(): Promise<void> {
    if (this.#phase === 'stopped') return;
    this.#phase = 'leaving';
    this.#alarms.stop();
    this.#journalTrim.stop();
    this.#reindex.stop();
    this.#placement.leave();
    await this.#ownership.releaseAll();
  }

  async kill(): Promise<void> {
    this.#phase = 'stopped';
    this.#alarms.stop();
    this.#journalTrim.stop();
    this.#reindex.stop();
    this.#placement.stop();
    this.#options.layout.stop();
    for (const uncount of this.#stopMeasures) uncount();
    await this.#ownership.closeAll();
  }

  get others(): number {
    return this.#placement.others.length;
  }

  get healthIssues(): readonly HealthIssue[] {
    return [...new Set([...this.#ownHealthIssues(), ...this.#placement.healthIssues])];
  }

  #ownHealthIssues(): readonly HealthIssue[] {
    return healthIssuesOf(this.#owned);
  }

  get #owned(): Partition[] {
    return this.#ownership.partitions;
  }

  get serving(): readonly number[] {
    return this.#owned.filter(({ serving }) => serving).map(({ number }) => number);
  }

  register(kind: AnyKind): void {
    this.#options.kinds.register(kind);
  }

  async tell<State, Command, Fact, Answer>(
    kind: ActorKind<State, Command, Fact, Answer>,
    tenant: Tenant,
    id: string,
    command: Command,
    call: ActorCall,
  ): Promise<Answer | Refusal> {
    const result = await this.#tell(kind, tenant, id, command, call);
    if (result.response) throw new Error('Only a handler of kind `command` may be given an idempotency key.');
    return result.answer as Answer | Refusal;
  }

  async runDue(tenant: Tenant, untilMs: number): Promise<readonly Fired[]> {
    const { peers } = this.#options;
    const others = this.#placement.others.map((peer) => peers.runDue(peer, tenant, untilMs));
    const counts = new Map<string, number>();
    for (const fired of await Promise.all([this.#alarms.run(tenant, untilMs), ...others]))
      for (const { type, count } of fired) counts.set(type, (counts.get(type) ?? 0) + count);
    return Array.from(counts, ([type, count]) => ({ type, count }));
  }

  async nextDue(tenant: Tenant, untilMs: number): Promise<number | null> {
    const { peers } = this.#options;
    const others = this.#placement.others.map((peer) => peers.nextDue(peer, tenant, untilMs));
    const firsts = await Promise.all([this.#alarms.next(tenant, untilMs), ...others]);
    return firsts.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first));
  }

  async forget(tenant: Tenant): Promise<void> {
    const { peers } = this.#options;
    await Promise.all([this.#forgetHere(tenant), ...this.#placement.others.map((peer) => peers.forget(peer, tenant))]);
  }

  idempotentCall(call: Call): IdempotentCall {
    const { idempotency } = call;
    if (!idempotency) return this.#keyless;
    return idempotentCall(idempotency, {
      actors: this,
      tell: (kind, tenant, id, command, actorCall) => this.#tell(kind, tenant, id, command, actorCall),
      recall: () => this.#recall(call),
      keep: (message) => void this.#keep(message),
    });
  }

  readonly peerHandler: PeerHandler = {
    tell: (message, deadline) => {
      const { kinds } = this.#options;
      const { kind, tenant, id, command, commandId, idempotency, audit = null } = message;
      const address = kinds.address(kinds.named(kind), tenant, id);
      const key = keyOf(tenant, idempotency);
      return this.#tellHere(this.#partitionOf(address), { address, command, commandId, deadline, key, audit });
    },
    keep: (message) => this.#keepHere(message),
    runDue: (tenant, untilMs) => this.#alarms.run(tenant, untilMs),
    nextDue: (tenant, untilMs) => this.#alarms.next(tenant, untilMs),
    forget: (tenant) => this.#forgetHere(tenant),
  };

  #partitionOf(address: Address): number {
    if (this.#last.address !== address)
      this.#last = { address, partition: this.#options.layout.current.of(address.key) };
    return this.#last.partition;
  }

  #tell(kind: AnyKind, tenant: Tenant, id: string, command: unknown, call: ActorCall): Promise<CommandResult> {
    const address = this.#options.kinds.address(kind, tenant, id);
    const partition = this.#partitionOf(address);
    const { commandId, deadline, audit = null } = call;
    const idempotency = call.idempotency ?? null;
    const options: CommandOptions = { address, command, commandId, deadline, key: keyOf(tenant, idempotency), audit };
    const seek = () => this.#seek(options, idempotency, call.trace ?? '');
    const held = this.#ownership.get(partition);
    if (!held || !this.#placement.sure) return seek();
    return new Promise((done, fail) => {
      const failed = (problem: unknown): void => (problem instanceof NotOwner ? done(seek()) : fail(problem));
      held.tell(new CommandEnvelope(options, done, failed));
    });
  }

  async #seek(options: CommandOptions, idempotency: Idempotency | null, trace: string): Promise<CommandResult> {
    const { clock, timers, peers } = this.#options;
    const { address, command, commandId, deadline, audit = null } = options;
    const { kind, tenant, id } = address;
    let until = 0;
    for (;;) {
      // A process that was suspended must not run commands that no caller waits for.
      if (clock.real() >= deadline) throw new Unavailable('No caller waits for this command any more.');
      const partition = this.#partitionOf(address);
      try {
        if (this.#ownership.get(partition)) return await this.#tellHere(partition, options);
        const peer = this.#placement.owner(partition);
        if (peer) {
          const message: TellMessage = { kind: kind.name, tenant, id, command, commandId, idempotency, audit };
          return await peers.tell(peer, message, Math.max(1, deadline - clock.real()), trace);
        }
        if (!this.#mayWait()) throw new Unavailable('No host owns this partition.');
      } catch (problem) {
        if (!(problem instanceof NotOwner)) throw problem;
      }
      until ||= timers.now() + AGAIN_MS_MAX;
      if (timers.now() >= until) throw new Unavailable('No host owns this partition.');
      await timers.sleep(OWNER_LOOKED_UP_AGAIN_MS);
    }
  }

  #tellHere(partition: number, options: CommandOptions): Promise<CommandResult> {
    // Other hosts may have taken this process for dead while it was suspended.
    if (!this.#placement.sure) return this.#placement.becomeSure().then(() => this.#enter(partition, options));
    return this.#enter(partition, options);
  }

  #enter(partition: number, options: CommandOptions): Promise<CommandResult> {
    return new Promise((done, fail) => {
      const held = this.#ownership.get(partition);
      if (held) held.tell(new CommandEnvelope(options, done, fail));
      else fail(new NotOwner());
    });
  }

  async #keep(message: KeepMessage): Promise<void> {
    const { kinds, peers, log } = this.#options;
    try {
      const { kind, tenant, id } = message;
      const partition = this.#partitionOf(kinds.address(kinds.named(kind), tenant, id));
      const peer = this.#ownership.get(partition) ? null : this.#placement.owner(partition);
      if (peer) await peers.keep(peer, message);
      else this.#keepHere(message);
    } catch (problem) {
      // A lost response is harmless, since a retry renders it again from the answer.
      log.debug({ err: problem }, 'failed to store a response');
    }
  }

  #keepHere({ kind, tenant, id, idempotency, response }: KeepMessage): void {
    const { kinds, seal } = this.#options;
    const held = this.#ownership.get(this.#partitionOf(kinds.address(kinds.named(kind), tenant, id)));
    const key = keyOf(tenant, idempotency);
    if (held && key) held.keep(key, response, seal.close(response, key.context));
  }

  async #forgetHere(tenant: Tenant): Promise<void> {
    const { kinds } = this.#options;
    if (tenant.environment !== 'sandbox') throw new Error('Only a sandbox is forgotten.');
    if (kinds.names.length === 0) return;
    await Promise.all(this.#owned.map((partition) => partition.forget(tenant)));
  }

  async #recall({ tenant, idempotency }: Call): Promise<Uint8Array | null> {
    const { snapshots, clock, seal } = this.#options;
    const key = keyOf(tenant, idempotency);
    if (!key) return null;
    const [saved] = await snapshots.findAnswers([{ tenant, hash: key.hash, now: clock.now(tenant).getTime() }]);
    if (!saved?.rendered || saved.fingerprint !== key.fingerprint) return null;
    return seal.openBytes(saved.answer, key.context);
  }

  #mayWait(): boolean {
    if (this.#phase === 'stopped' || !this.#options.bus.connected) return false;
    return this.#phase !== 'leaving' || this.#placement.others.length > 0;
  }

  #layoutChanged(): void {
    this.#last = { address: null, partition: 0 };
    this.#placement.announce();
    this.#reconcile();
  }

  #reconcile(): void {
    if (this.#phase !== 'taking') return;
    this.#options.peers.meet(this.#placement.others);
    this.#ownership.reconcile();
  }
}
