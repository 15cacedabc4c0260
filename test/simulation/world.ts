// Time, chance and processes of a simulation, all from one seed: the same seed is the same history, step by step.
import type { Timers } from '#runtime/process/clock.ts';

/** Marsaglia's xorshift with 128 bits of state, seeded by a splitmix. */
export class Chance {
  readonly #state = new Uint32Array(4);

  constructor(seed: number) {
    let mix = seed >>> 0;
    for (let at = 0; at < 4; at++) {
      mix = (mix + 0x9e3779b9) >>> 0;
      let bits = Math.imul(mix ^ (mix >>> 16), 0x21f0aaad);
      bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97);
      this.#state[at] = (bits ^ (bits >>> 15)) >>> 0 || 1;
    }
  }

  /** From 0 up to 1. */
  next(): number {
    const state = this.#state;
    let bits = state[3] as number;
    const first = state[0] as number;
    state[3] = state[2] as number;
    state[2] = state[1] as number;
    state[1] = first;
    bits ^= bits << 11;
    bits ^= bits >>> 8;
    state[0] = bits ^ first ^ (first >>> 19);
    return (state[0] as number) / 0x1_0000_0000;
  }

  /** Whole numbers, both ends included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  happens(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }
}

interface Step {
  readonly at: number;
  readonly order: number;
  readonly on: Process | null;
  readonly run: () => void;
  cancelled: boolean;
}

/** One operating-system process: it can stand still for a while, or end for good. */
export class Process {
  readonly name: string;
  dead = false;
  /** Time until which it does not run. */
  stillUntil = 0;

  constructor(name: string) {
    this.name = name;
  }
}

/** A history of 20 seconds takes some 30,000 steps with at most some 3,000 at once ahead: these are histories that turn in circles. */
const STEPS_MAX = 3_000_000;
const AHEAD_MAX = 300_000;

/** A history that would not end, or would not fit into memory. */
export class Runaway extends Error {}

export class World {
  readonly chance: Chance;
  readonly #seed: number;
  now = 0;
  #steps: Step[] = [];
  #order = 0;
  #taken = 0;

  constructor(seed: number) {
    this.#seed = seed;
    this.chance = new Chance(seed);
  }

  /** Steps taken so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Runs once the time has come and the process can run. Returns how to cancel. */
  after(ms: number, on: Process | null, run: () => void): () => void {
    const step: Step = { at: this.now + Math.max(0, ms), order: ++this.#order, on, run, cancelled: false };
    this.#push(step);
    return () => {
      step.cancelled = true;
    };
  }

  /** The process hears of it after a while; a dead one never does. */
  later<T>(ms: number, on: Process | null, make: () => T): Promise<T> {
    return new Promise((done, fail) => {
      this.after(ms, on, () => {
        try {
          done(make());
        } catch (problem) {
          fail(problem);
        }
      });
    });
  }

  timers(process: Process): Timers {
    return {
      now: () => this.now,
      after: (ms, run) => this.after(ms, process, run),
      soon: (run) => {
        this.after(0, process, run);
      },
      sleep: (ms) => new Promise((done) => this.after(ms, process, () => done())),
    };
  }

  /** Until then, or until nothing is left to happen. */
  async run(until: number): Promise<void> {
    for (let step = this.#steps[0]; step && step.at <= until; step = this.#steps[0]) {
      this.#pop();
      if (++this.#taken > STEPS_MAX || this.#steps.length > AHEAD_MAX)
        throw new Runaway(
          `The history of seed ${this.#seed} turns in circles: ${this.#taken} steps until ${Math.round(this.now)} ms, ${this.#steps.length} ahead.`,
        );
      this.now = Math.max(this.now, step.at);
      const { on } = step;
      if (step.cancelled || on?.dead) continue;
      if (on && on.stillUntil > this.now) {
        this.#push({ ...step, at: on.stillUntil, order: ++this.#order });
        continue;
      }
      step.run();
      // All that follows from it without waiting happens now.
      await new Promise((done) => setImmediate(done));
    }
    this.now = Math.max(this.now, until);
  }

  #push(step: Step): void {
    const steps = this.#steps;
    let at = steps.push(step) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!before(step, steps[above] as Step)) break;
      steps[at] = steps[above] as Step;
      at = above;
    }
    steps[at] = step;
  }

  #pop(): void {
    const steps = this.#steps;
    const last = steps.pop();
    if (!last || steps.length === 0) return;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= steps.length) break;
      if (below + 1 < steps.length && before(steps[below + 1] as Step, steps[below] as Step)) below++;
      if (!before(steps[below] as Step, last)) break;
      steps[at] = steps[below] as Step;
      at = below;
    }
    steps[at] = last;
  }
}

const before = (a: Step, b: Step): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);
