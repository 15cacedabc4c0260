// Keeps the parts of a system running: starts them in order, replaces one that ends or falls silent, stops them in reverse.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Exit, settlesWithin } from './local/child.ts';

export interface RunningPart {
  readonly child: Child;
  /** Whether it answers now; false too when it took too long. */
  readonly answers: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

export interface Part {
  readonly name: string;
  /** Starts it and returns once it serves. An aborted signal ends a start that is under way. */
  readonly start: (signal: AbortSignal) => Promise<RunningPart>;
}

export interface SupervisorOptions {
  readonly say: (text: string) => void;
  /** How often a part is asked whether it answers, and so often without an answer before it is replaced. */
  readonly probeMs?: number;
  readonly silencesMax?: number;
}

interface SupervisedPart {
  readonly part: Part;
  running: RunningPart | null;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 1000;
/** A part that ran this long had nothing to do with its last crash. */
const STEADY_MS = 5000;
const ABANDONED_LIMIT_MS = 3000;

export class Supervisor {
  readonly #say: (text: string) => void;
  readonly #probeMs: number;
  readonly #silencesMax: number;
  readonly #kept: SupervisedPart[] = [];
  readonly #keepers: Promise<void>[] = [];
  readonly #starts = new Set<Promise<unknown>>();
  /** No part is replaced any more. */
  readonly #stopping = new AbortController();
  /** Starts under way are given up. */
  readonly #ending = new AbortController();
  #stopped: Promise<void> | null = null;

  constructor({ say, probeMs = 2000, silencesMax = 5 }: SupervisorOptions) {
    this.#say = say;
    this.#probeMs = probeMs;
    this.#silencesMax = silencesMax;
  }

  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Starts a part and keeps it from then on. Fails when the first start does. */
  async start(part: Part): Promise<void> {
    const kept: SupervisedPart = { part, running: null };
    this.#kept.push(kept);
    kept.running = await this.#begin(part);
    this.#keepers.push(this.#keep(kept));
  }

  /** Ends a part so that it comes back with what it is started with now. */
  async restart(name: string): Promise<void> {
    await this.#kept.find(({ part }) => part.name === name)?.running?.stop();
  }

  /** Stops every part, last started first. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort();
    for (const { running } of this.#kept.toReversed()) await running?.stop();
    this.#ending.abort();
    const abandoned = [...this.#starts].map((start) => start.catch(() => {}));
    await settlesWithin(Promise.all([...abandoned, ...this.#keepers]), ABANDONED_LIMIT_MS);
    // A start that ended well at the last moment is stopped too.
    for (const { running } of this.#kept.toReversed()) await running?.stop();
  }

  async #begin(part: Part): Promise<RunningPart> {
    this.#stopping.signal.throwIfAborted();
    const start = part.start(this.#ending.signal);
    this.#starts.add(start);
    try {
      return await start;
    } finally {
      this.#starts.delete(start);
    }
  }

  async #keep(kept: SupervisedPart): Promise<void> {
    let failures = 0;
    while (kept.running) {
      const since = performance.now();
      const exit = await this.#watch(kept.part, kept.running);
      if (this.stopping) return;
      failures = performance.now() - since < STEADY_MS ? failures + 1 : 0;
      this.#say(`${kept.part.name} ended (${exit.signal ?? `code ${exit.code}`}); starting it again.`);
      kept.running = null;
      kept.running = await this.#beginAgain(kept.part, failures);
    }
  }

  /** At once the first time, then after longer and longer pauses. */
  async #beginAgain(part: Part, failures: number): Promise<RunningPart | null> {
    for (let attempt = failures; !this.stopping; attempt += 1) {
      try {
        const pauseMs = attempt <= 1 ? 0 : Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (attempt - 2));
        await sleep(pauseMs, undefined, { signal: this.#stopping.signal });
        return await this.#begin(part);
      } catch (fault) {
        if (!this.stopping) this.#say(`${part.name} did not start: ${(fault as Error).message}`);
      }
    }
    return null;
  }

  /** Until it ends, by itself or because it fell silent. */
  async #watch(part: Part, running: RunningPart): Promise<Exit> {
    let silences = 0;
    while (!(await settlesWithin(running.child.exited, 0))) {
      const asked = running.answers().then(
        (answered) => answered,
        () => false,
      );
      if (await settlesWithin(running.child.exited, this.#probeMs)) break;
      silences = (await asked) ? 0 : silences + 1;
      if (silences < this.#silencesMax || this.stopping) continue;
      this.#say(`${part.name} does not answer; replacing it.`);
      await running.child.stop([]);
    }
    return running.child.exited;
  }
}
