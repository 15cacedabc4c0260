// The supervisor keeps real processes: what ends comes back, what falls silent is replaced, and a stop leaves nothing.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Child, commandLine, startChild } from '#services/cli/local/child.ts';
import { type Part, Supervisor } from '#services/cli/supervisor.ts';
import { eventually } from '#test/support/server.ts';

let folder: string;
let supervisor: Supervisor;
let said: string[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stoa-supervisor-'));
  said = [];
  supervisor = new Supervisor({ say: (text) => said.push(text), probeMs: 20, silencesMax: 3 });
});

afterEach(async () => {
  await supervisor.stop();
  rmSync(folder, { recursive: true });
});

/** A part that does nothing, and remembers each process it ever was. */
class Sleeper {
  readonly part: Part;
  readonly children: Child[] = [];
  answers: () => Promise<boolean> = async () => true;

  constructor(name: string, stopped: string[] = [], beforeReady: () => Promise<void> = async () => {}) {
    this.part = {
      name,
      start: async (signal) => {
        const child = startChild({
          command: 'sleep',
          args: ['600'],
          logFile: join(folder, `${name}.log`),
          deathSignal: 'SIGTERM',
          signal,
        });
        this.children.push(child);
        await beforeReady();
        signal.throwIfAborted();
        const stop = async (): Promise<void> => {
          stopped.push(name);
          await child.stop([{ signal: 'SIGTERM', graceMs: 1000 }]);
        };
        return { child, stop, answers: () => this.answers() };
      },
    };
  }

  get latest(): Child {
    return this.children.at(-1)!;
  }
}

const isAlive = (child: Child): boolean => commandLine(child.pid).includes('sleep');

describe('a part that ends', () => {
  test('restarts a part however often it ends', async () => {
    const sleeper = new Sleeper('sleeper');
    await supervisor.start(sleeper.part);
    for (let crash = 1; crash <= 3; crash += 1) {
      process.kill(sleeper.latest.pid, 'SIGKILL');
      await eventually(() => {
        expect(sleeper.children.length).toBe(crash + 1);
        // A process that was just made has its program a moment later.
        expect(isAlive(sleeper.latest)).toBe(true);
      });
    }
    expect(said.filter((text) => text.includes('sleeper ended (SIGKILL)'))).toHaveLength(3);
  });

  test('retries a part whose restart fails', async () => {
    let failures = 0;
    const sleeper = new Sleeper('sleeper', [], async () => {
      if (sleeper.children.length === 2 || sleeper.children.length === 3) {
        failures += 1;
        await sleeper.latest.stop([]);
        throw new Error('not today');
      }
    });
    await supervisor.start(sleeper.part);
    process.kill(sleeper.latest.pid, 'SIGKILL');
    await eventually(() => expect(sleeper.children.length).toBe(4));
    expect(failures).toBe(2);
    expect(said).toContain('sleeper did not start: not today');
  });

  test('fails the whole start when the first start of a part fails', async () => {
    const sleeper = new Sleeper('sleeper', [], () => Promise.reject(new Error('never')));
    await expect(supervisor.start(sleeper.part)).rejects.toThrow('never');
  });
});

describe('a part that falls silent', () => {
  test('kills and replaces a silent part', async () => {
    const sleeper = new Sleeper('sleeper');
    await supervisor.start(sleeper.part);
    const silent = sleeper.latest;
    sleeper.answers = async () => sleeper.latest !== silent;
    await eventually(() => expect(sleeper.latest).not.toBe(silent));
    expect(isAlive(silent)).toBe(false);
    expect(said).toContain('sleeper does not answer; replacing it.');
  });

  test('leaves a part alone that is silent for a moment only', async () => {
    const sleeper = new Sleeper('sleeper');
    let asked = 0;
    sleeper.answers = async () => {
      asked += 1;
      return asked % 3 === 0;
    };
    await supervisor.start(sleeper.part);
    await eventually(() => expect(asked).toBeGreaterThan(12));
    expect(sleeper.children).toHaveLength(1);
  });
});

describe('a stop', () => {
  test('ends the parts in reverse, and none comes back', async () => {
    const stopped: string[] = [];
    const sleepers = ['first', 'second', 'third'].map((name) => new Sleeper(name, stopped));
    for (const { part } of sleepers) await supervisor.start(part);
    await supervisor.stop();
    expect(stopped.slice(0, 3)).toEqual(['third', 'second', 'first']);
    for (const { children } of sleepers) {
      expect(children).toHaveLength(1);
      expect(isAlive(children[0]!)).toBe(false);
    }
  });

  test('gives up a start that is under way and leaves none of its processes', async () => {
    const sleeper = new Sleeper('sleeper', [], () => sleeper.latest.exited.then(() => {}));
    const starting = supervisor.start(sleeper.part);
    await eventually(() => expect(isAlive(sleeper.latest)).toBe(true));
    await supervisor.stop();
    await expect(starting).rejects.toThrow();
    expect(isAlive(sleeper.latest)).toBe(false);
  });

  test('lets nothing more be started', async () => {
    await supervisor.stop();
    const sleeper = new Sleeper('sleeper');
    await expect(supervisor.start(sleeper.part)).rejects.toThrow();
    expect(sleeper.children).toHaveLength(0);
  });
});
