// Notices and calls between hosts, over a network that loses and delays.
import type { PeerHandler, Peers, TellMessage } from '#runtime/actor/peer.ts';
import type { PlacementBus, PlacementPeer } from '#runtime/actor/placement.ts';
import { UnknownOutcome } from '#runtime/call/fault.ts';
import type { Process, World } from './world.ts';

export interface NetworkFaults {
  readonly lost: number;
  readonly late: number;
}

interface Ear {
  readonly process: Process;
  readonly hear: (bytes: Uint8Array) => void;
}

/** How long it takes until either side knows that it is cut off. */
const NOTICE_MS = 800;

export class FakeNetwork {
  readonly #world: World;
  readonly #faults: NetworkFaults;
  readonly #ears = new Set<Ear>();
  readonly #states = new Map<Process, Set<(connected: boolean) => void>>();
  readonly #cut = new Set<Process>();
  readonly #noticed = new Set<Process>();
  /** A connection keeps the order of what goes over it. */
  readonly #arrivals = new Map<string, number>();
  readonly #doors = new Map<string, { process: Process; door: PeerHandler }>();
  #faulty = true;

  constructor(world: World, faults: NetworkFaults) {
    this.#world = world;
    this.#faults = faults;
  }

  enter(address: string, process: Process, door: PeerHandler): void {
    this.#doors.set(address, { process, door });
  }

  cut(process: Process): void {
    this.#cut.add(process);
    this.#world.after(NOTICE_MS, process, () => {
      if (this.#cut.has(process)) this.#tell(process, false);
    });
  }

  #tell(process: Process, connected: boolean): void {
    if (this.#noticed.has(process) === !connected) return;
    if (connected) this.#noticed.delete(process);
    else this.#noticed.add(process);
    for (const hear of this.#states.get(process) ?? []) hear(connected);
  }

  /** Messages of the meantime are lost, so the connection is a new one. */
  mend(process: Process): void {
    if (!this.#cut.delete(process)) return;
    this.#tell(process, false);
    this.#world.after(5, process, () => {
      if (!this.#cut.has(process)) this.#tell(process, true);
    });
  }

  heal(): void {
    this.#faulty = false;
    for (const process of [...this.#cut]) this.mend(process);
  }

  /** Whether messages may arrive late. */
  get slow(): boolean {
    return this.#faulty && this.#faults.late > 0;
  }

  bus(process: Process): PlacementBus {
    const noticed = this.#noticed;
    return {
      get connected() {
        return !noticed.has(process);
      },
      onState: (hear) => {
        const hears = this.#states.get(process) ?? new Set();
        this.#states.set(process, hears.add(hear));
        return () => hears.delete(hear);
      },
      publish: (_, bytes) => {
        if (this.#noticed.has(process)) return false;
        if (!this.#cut.has(process)) for (const ear of this.#ears) this.#carry(process, ear, bytes);
        return true;
      },
      subscribe: (_, hear) => {
        const ear = { process, hear };
        this.#ears.add(ear);
        return () => this.#ears.delete(ear);
      },
    };
  }

  #carry(from: Process, { process, hear }: Ear, bytes: Uint8Array): void {
    const way = `${from.name} ${process.name}`;
    const at = Math.max(this.#arrivals.get(way) ?? 0, this.#world.now + this.#latency());
    this.#arrivals.set(way, at);
    this.#world.after(at - this.#world.now, process, () => {
      if (!this.#cut.has(process)) hear(bytes);
    });
  }

  #latency(): number {
    const { chance } = this.#world;
    return this.#faulty && chance.happens(this.#faults.late) ? chance.between(10, 400) : 0.1 + chance.next();
  }

  #loses(): boolean {
    return this.#faulty && this.#world.chance.happens(this.#faults.lost);
  }

  peers(process: Process): Peers {
    return {
      tell: (peer, message, timeoutMs) => this.#ask(process, peer, message, timeoutMs),
      keep: async () => {},
      runDue: async () => [],
      nextDue: async () => null,
      forget: async () => {},
      meet: () => {},
      drop: () => {},
      close: async () => {},
    };
  }

  #ask(process: Process, peer: PlacementPeer, message: TellMessage, timeoutMs: number): ReturnType<Peers['tell']> {
    const world = this.#world;
    return new Promise((done, fail) => {
      world.after(timeoutMs, process, () => fail(new UnknownOutcome('The other host did not answer.')));
      const there = this.#doors.get(peer.address);
      if (!there || this.#loses()) return;
      const back = (settle: () => void): void => {
        if (!this.#loses()) world.after(this.#latency(), process, settle);
      };
      world.after(this.#latency(), there.process, () => {
        // Messages are sent as text.
        const read: TellMessage = JSON.parse(JSON.stringify(message));
        there.door.tell(read, 1_700_000_000_000 + world.now + timeoutMs).then(
          (answer) => back(() => done(answer)),
          (refusalFields) => back(() => fail(refusalFields)),
        );
      });
    });
  }
}
