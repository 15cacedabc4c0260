// Supervises the parts of a system: starts them in order, replaces those that end or stop answering, and stops them in
// reverse order.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Exit, settlesWithin } from './local/child.ts';

export interface RunningPart {
  readonly child: Child;
  readonly answers: () => Promise<boolean>;
  readonly stop: () => Promise<void>;
}

export interface Part {
  readonly name: string;
  /** Resolves when the part serves requests. Aborting the signal ends a start in progress. */
  readonly start: (signal: AbortSignal) => Promise<RunningPart>;
}

export interface SupervisorOptions {
  readonly say: (text: string) => void;
  /** Milliseconds between probes; `silencesMax` unanswered probes in a row replace the part. */
  readonly probeMs?: number;
  readonly silencesMax?: number;
}

interface SupervisedPart {
  readonly part: Part;
  running: RunningPart | null;
}

const BACKOFF_MS_MIN = 250;
const BACKOFF_MS_MAX = 1000;
const RESTARTED_AT_ONCE_AFTER_MS = 5000;
const ABANDONED_LIMIT_MS = 3000;

export class Supervisor {
  readonly #say: (text: string) => void;
  readonly #probeMs: number;
  readonly #silencesMax: number;
  readonly #parts: SupervisedPart[] = [];
  readonly #supervising: Promise<void>[] = [];
  readonly #starts = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();
  readonly #ending = new AbortController();
  #stopped: Promise<void> | null = null;

  constructor({ say, probeMs = 3000, silencesMax = 3 }: SupervisorOptions) {
    this.#say = say;
    this.#probeMs = probeMs;
    this.#silencesMax = silencesMax;
  }

  get stopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async start(part: Part): Promise<void> {
    const supervised: SupervisedPart = { part, running: null };
    this.#parts.push(supervised);
    supervised.running = await this.#startPart(part);
    this.#supervising.push(this.#supervise(supervised));
  }

  async restart(name: string): Promise<void> {
    await this.#parts.find(({ part }) => part.name === name)?.running?.stop();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stopAll();
    return this.#stopped;
  }

  async #stopAll(): Promise<void> {
    this.#stopping.abort();
    for (const { running } of this.#parts.toReversed()) await running?.stop();
    this.#ending.abort();
    const abandoned = [...this.#starts].map((start) => start.catch(() => {}));
    await settlesWithin(Promise.all([...abandoned, ...this.#supervising]), ABANDONED_LIMIT_MS);
    // A start may have completed in the meantime.
    for (const { running } of this.#parts.toReversed()) await running?.stop();
  }

  async #startPart(part: Part): Promise<RunningPart> {
    this.#stopping.signal.throwIfAborted();
    const start = part.start(this.#ending.signal);
    this.#starts.add(start);
    try {
      return await start;
    } finally {
      this.#starts.delete(start);
    }
  }

  async #supervise(supervised: SupervisedPart): Promise<void> {
    let failures = 0;
    while (supervised.running) {
      const since = performance.now();
      const exit = await this.#watch(supervised.part, supervised.running);
      if (this.stopping) return;
      failures = performance.now() - since < RESTARTED_AT_ONCE_AFTER_MS ? failures + 1 : 0;
      this.#say(`${supervised.part.name} ended (${exit.signal ?? `code ${exit.code}`}); restarting it.`);
      supervised.running = null;
      supervised.running = await this.#restartPart(supervised.part, failures);
    }
  }

  /** Restarts a part, at once after the first failure, then after growing pauses. */
  async #restartPart(part: Part, failures: number): Promise<RunningPart | null> {
    for (let attempt = failures; !this.stopping; attempt += 1) {
      try {
        const pauseMs = attempt <= 1 ? 0 : Math.min(BACKOFF_MS_MAX, BACKOFF_MS_MIN * 2 ** (attempt - 2));
        await sleep(pauseMs, undefined, { signal: this.#stopping.signal });
        return await this.#startPart(part);
      } catch (fault) {
        if (!this.stopping) this.#say(`${part.name} did not start: ${(fault as Error).message}`);
      }
    }
    return null;
  }

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
