// One simulated history: hosts of actors over a broker, a database and a network that fail, clients that keep trying.

import { Kinds } from '#runtime/actor/address.ts';
import { LayoutView } from '#runtime/actor/layout_view.ts';
import type { PlacementPeer } from '#runtime/actor/placement.ts';
import { Router } from '#runtime/actor/router.ts';
import { type Idempotency, Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { Log } from '#runtime/process/log.ts';
import { type TicketAnswer, type TicketCommand, ticket } from '#test/services/runtime/actor/ticket.ts';
import { testSeal } from '#test/support/server.ts';
import { FakeBroker, type JournalFaults } from './fake_journal.ts';
import { FakeNetwork } from './fake_network.ts';
import { FakeDatabase } from './fake_snapshot.ts';
import { type ClientCommand, EPOCH_MS, type History, PARTITIONS } from './history.ts';
import { judge, Violation } from './verdict.ts';
import { Process, World } from './world.ts';

const TENANT: Tenant = { store: '11111111-1111-4111-8111-111111111111', environment: 'production' };
const HOSTS_MAX = 4;
const CLIENTS = 8;
const SEATS = ['a', 'b', 'c', 'd', 'e', 'f'];
const TIMEOUT_MS = 6_000;
const TRIES_MAX = 12;
const HOLD_MS_MAX = 3_000;
const SETTLE_MS = 15_000;
/** After this long everybody has heard everybody. */
const CALM_MS = 1_000;

export interface SimulationOptions {
  readonly seed: number;
  /** Virtual time with faults, in ms. */
  readonly durationMs?: number;
  readonly faults?: Partial<JournalFaults>;
  /** Hears each line of what hosts say and what happens to them. */
  readonly trace?: (line: string) => void;
}

interface Host {
  readonly process: Process;
  readonly router: Router;
  leaving: boolean;
}

class Simulation {
  readonly #world: World;
  readonly #seed: number;
  readonly #trace: (line: string) => void;
  readonly #durationMs: number;
  readonly #broker: FakeBroker;
  readonly #database: FakeDatabase;
  readonly #network: FakeNetwork;
  readonly #hosts: Host[] = [];
  readonly #asked: ClientCommand[] = [];
  readonly #holds = new Map<string, string[]>();
  /** How often a client rests between two commands. */
  readonly #rest: number;
  /** Some host may not know who lives until then. */
  #unrestUntil = 0;
  #problem: unknown = null;
  #count = 0;
  #kills = 0;
  #changes = 0;

  constructor({ seed, durationMs = 20_000, faults = {}, trace = () => {} }: SimulationOptions) {
    this.#trace = trace;
    this.#seed = seed;
    this.#durationMs = durationMs;
    const world = new World(seed);
    this.#world = world;
    const { chance } = world;
    // Each history has its own mixture, from calm to wild.
    const share = (most: number): number => (chance.happens(0.5) ? most * chance.next() ** 2 : 0);
    this.#rest = chance.pick([0.02, 0.3]);
    this.#broker = new FakeBroker(world, {
      lostRequest: share(0.05),
      lostAnswer: share(0.05),
      late: share(0.05),
      duplicated: share(0.2),
      refused: share(0.1),
      stale: share(0.3),
      // Without the sequence as a fence, only the ids fence.
      duplicateMs: faults.fenceFault || chance.happens(0.7) ? 120_000 : chance.between(1, 1_000),
      fenceFault: false,
      ids: true,
      ...faults,
    });
    const troubles = { refused: share(0.1), unclear: share(0.1), slow: share(0.05) };
    this.#database = new FakeDatabase(world, troubles, PARTITIONS);
    this.#network = new FakeNetwork(world, { lost: share(0.05), late: share(0.1) });
  }

  async run(): Promise<History> {
    const world = this.#world;
    for (let at = world.chance.between(1, 3); at > 0; at--) this.#start();
    for (let at = 0; at < CLIENTS; at++) {
      this.#client().catch((problem: unknown) => {
        this.#problem ??= problem;
      });
    }
    this.#unrest();
    await world.run(this.#durationMs);
    this.#broker.heal();
    this.#database.heal();
    this.#network.heal();
    if (!this.#live().some(({ leaving }) => !leaving)) this.#start();
    await world.run(this.#durationMs + SETTLE_MS);
    if (this.#problem) throw this.#problem;
    const final = new Map<string, TicketAnswer>();
    for (const ticketId of SEATS) {
      const found = this.#invoke(ticketId, { do: 'look' }, this.#name(), null);
      await world.run(world.now + TIMEOUT_MS);
      const { outcome, answer } = await found;
      if (outcome !== 'answered' || !answer)
        throw new Error(`Ticket ${ticketId} does not answer in the end: ${outcome}.`);
      final.set(ticketId, answer);
    }
    return {
      seed: this.#seed,
      asked: this.#asked,
      broker: this.#broker,
      database: this.#database,
      final,
      kills: this.#kills,
      changes: this.#changes,
    };
  }

  /** Time stands still from now on: what counts the hosts of this process would count these for ever. */
  end(): void {
    for (const { router } of this.#hosts) void router.kill();
  }

  #live(): Host[] {
    return this.#hosts.filter(({ process }) => !process.dead);
  }

  #name(): string {
    return `n${++this.#count}`;
  }

  get #calm(): boolean {
    return !this.#network.slow && this.#world.now >= this.#unrestUntil;
  }

  #say(text: string): void {
    this.#trace(`${this.#world.now.toFixed(1)} ${text}`);
  }

  #logOf(name: string): Log {
    const write = (fields: unknown, text: string): void => this.#say(`${name} ${text} ${JSON.stringify(fields)}`);
    // Every failure is allowed here but the loss of an acknowledged command.
    const error = (fields: unknown, text: string): void => {
      write(fields, text);
      this.#problem ??= new Violation(`${name} says: ${text}.`);
    };
    return { debug: write, info: write, warn: write, error } as unknown as Log;
  }

  #start(): Host {
    const world = this.#world;
    const id = this.#name();
    const process = new Process(id);
    const skewMs = world.chance.between(0, 30);
    const real = (): number => EPOCH_MS + world.now + skewMs;
    const clock: Clock = {
      now: () => new Date(real()),
      real,
      offset: () => 0,
      moved: () => [],
      setOffset: () => {},
      freeze: () => {},
      isFrozen: () => false,
    };
    const self: PlacementPeer = { id, address: id };
    const log = this.#logOf(id);
    const timers = world.timers(process);
    const layouts = this.#database.layouts(process);
    const router = new Router({
      journal: this.#broker.open(process),
      snapshots: this.#database.open(process),
      layouts,
      layout: new LayoutView({
        layout: this.#database.layout,
        layouts,
        commits: this.#database.commits(timers),
        timers,
        log,
      }),
      commits: this.#database.commits(timers),
      timers,
      clock,
      seal: testSeal(),
      kinds: new Kinds(),
      log,
      nonce: () => `${id}-${this.#name()}`,
      loadedMax: 4,
      idleMsMax: 1_000,
      self,
      namespace: 'simulation',
      bus: this.#network.bus(process),
      peers: this.#network.peers(process),
    });
    router.register(ticket);
    this.#network.enter(id, process, router.peerHandler);
    const host = { process, router, leaving: false };
    this.#hosts.push(host);
    world.after(0, process, () => void router.start());
    return host;
  }

  /** Now and then something happens to a host, the broker or the database. */
  #unrest(): void {
    const world = this.#world;
    const { chance } = world;
    const paceMs = chance.pick([300, 1_000, 3_000]);
    const next = (): void => {
      world.after(chance.between(1, 2 * paceMs), null, () => {
        if (world.now >= this.#durationMs) return;
        this.#disturb();
        next();
      });
    };
    next();
  }

  #disturb(): void {
    const { chance } = this.#world;
    const live = this.#live();
    const host = live.length > 0 ? chance.pick(live) : null;
    const what = chance.pick([
      'pause',
      'pause',
      'kill',
      'cut',
      'cut',
      'broker',
      'database',
      'join',
      'leave',
      'lay out',
    ] as const);
    this.#say(`${what} ${host?.process.name}`);
    if (what === 'broker') this.#broker.pauseFor(chance.between(50, 3_000));
    else if (what === 'database') this.#database.pauseFor(chance.between(50, 3_000));
    else if (what === 'lay out') {
      if (this.#database.layOut(chance.between(1, 4))) this.#changes++;
    } else if (!host || what === 'join') {
      if (live.length < HOSTS_MAX) this.#start();
    } else if (what === 'pause') {
      host.process.stillUntil = this.#world.now + chance.between(20, 4_000);
      this.#unrestUntil = Math.max(this.#unrestUntil, host.process.stillUntil + CALM_MS);
    } else if (what === 'kill') {
      host.process.dead = true;
      this.#kills++;
      this.#world.after(chance.between(0, 2_000), null, () => this.#start());
    } else if (what === 'cut') this.#cutOff(host.process);
    else if (!host.leaving && live.length > 1) this.#leave(host);
  }

  #cutOff(process: Process): void {
    this.#broker.cut(process);
    this.#network.cut(process);
    const ms = this.#world.chance.between(50, 5_000);
    this.#unrestUntil = Math.max(this.#unrestUntil, this.#world.now + ms + CALM_MS);
    this.#world.after(ms, null, () => {
      this.#broker.mend(process);
      this.#network.mend(process);
    });
  }

  #leave(host: Host): void {
    host.leaving = true;
    this.#world.after(0, host.process, () => {
      void host.router.stop().then(() => {
        host.process.dead = true;
      });
    });
  }

  async #client(): Promise<void> {
    const world = this.#world;
    const { chance } = world;
    while (world.now < this.#durationMs) {
      await world.later(chance.happens(this.#rest) ? chance.between(1, 300) : chance.next(), null, () => {});
      const ticketId = chance.pick(SEATS);
      const commandId = this.#name();
      const command = this.#command(ticketId, commandId);
      const keyed = command.do !== 'look' && chance.happens(0.5);
      const first = await this.#try(ticketId, command, commandId, keyed);
      if (first.outcome !== 'answered') continue;
      if (command.do === 'hold') this.#holds.set(ticketId, [...(this.#holds.get(ticketId) ?? []), command.hold]);
      if (!keyed || !chance.happens(0.2)) continue;
      // A late retry of a command answered long ago.
      const again = await this.#try(ticketId, command, commandId, true);
      if (again.outcome === 'answered') same(again, first);
    }
  }

  #command(ticketId: string, id: string): TicketCommand {
    const { chance } = this.#world;
    const holds = this.#holds.get(ticketId) ?? [];
    const dice = chance.next();
    if (dice < 0.3) return { do: 'add', count: chance.between(1, 1_000_000) };
    if (dice < 0.6) return { do: 'look' };
    if (dice < 0.85 || holds.length === 0)
      return { do: 'hold', hold: `h${id}`, count: 1, ms: chance.between(1, HOLD_MS_MAX) };
    return { do: 'sell', hold: chance.pick(holds.slice(-5)) };
  }

  /** A keyed command is asked again until the outcome is definite. */
  async #try(ticketId: string, command: TicketCommand, commandId: string, keyed: boolean): Promise<ClientCommand> {
    const { chance } = this.#world;
    for (let tries = 1; ; tries++) {
      const key: Idempotency | null = keyed
        ? { key: commandId, scope: 'POST /seats', fingerprint: 'f', replayOnly: false }
        : null;
      const asking = this.#invoke(ticketId, command, commandId, key);
      if (keyed && chance.happens(0.1)) {
        // A shopper clicked twice.
        const [one, other] = await Promise.all([asking, this.#invoke(ticketId, command, commandId, key)]);
        if (one.outcome === 'answered' && other.outcome === 'answered') same(one, other);
      }
      const asked = await asking;
      const again = keyed && (asked.outcome === 'unknown' || asked.outcome === 'unavailable');
      if (!again || tries === TRIES_MAX) return asked;
      await this.#world.later(chance.between(1, 400), null, () => {});
    }
  }

  #invoke(
    ticketId: string,
    command: TicketCommand,
    commandId: string,
    key: Idempotency | null,
  ): Promise<ClientCommand> {
    const world = this.#world;
    const { chance } = world;
    const hosts = this.#live().filter(({ leaving }) => !leaving);
    const host = hosts.length > 0 ? chance.pick(hosts) : null;
    const asked: ClientCommand = {
      ticket: ticketId,
      commandId,
      command,
      keyed: key !== null,
      askedAt: world.now,
      answeredAt: Number.POSITIVE_INFINITY,
      outcome: 'unknown',
      answer: null,
      calm: this.#calm,
    };
    this.#asked.push(asked);
    return new Promise((done) => {
      const end = (outcome: ClientCommand['outcome'], answer: TicketAnswer | null = null): void => {
        if (asked.answeredAt !== Number.POSITIVE_INFINITY) return;
        Object.assign(asked, { outcome, answer, answeredAt: world.now });
        this.#say(
          `${host?.process.name} ${commandId} ${ticketId} ${JSON.stringify(command)} since ${asked.askedAt.toFixed(1)} ${outcome} ${JSON.stringify(answer)}`,
        );
        asked.calm &&= this.#calm;
        done(asked);
      };
      world.after(TIMEOUT_MS, null, () => end('unknown'));
      if (!host) {
        world.after(10, null, () => end('unavailable'));
        return;
      }
      world.after(chance.next(), host.process, () => {
        const call = { commandId, deadline: EPOCH_MS + world.now + 5_000, idempotency: key };
        host.router.tell(ticket, TENANT, ticketId, command, call).then(
          (answer) =>
            world.after(chance.next(), null, () =>
              answer instanceof Refusal ? end('refused') : end('answered', answer),
            ),
          (problem) =>
            world.after(chance.next(), null, () => end(problem instanceof Unavailable ? 'unavailable' : 'unknown')),
        );
      });
    });
  }
}

/** One key, one answer. */
const same = (one: ClientCommand, other: ClientCommand): void => {
  if (JSON.stringify(one.answer) !== JSON.stringify(other.answer))
    throw new Violation(`${one.commandId} was answered in two ways.`);
};

/** Throws where the history broke a promise. */
export const simulate = async (options: SimulationOptions): Promise<History> => {
  const simulation = new Simulation(options);
  try {
    const history = await simulation.run();
    judge(history);
    return history;
  } finally {
    simulation.end();
  }
};
