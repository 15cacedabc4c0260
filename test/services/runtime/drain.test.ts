// The way out: in order, within a bound, and at once when told twice.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { drain } from '#runtime/drain.ts';
import { testLog } from '#test/support/server.ts';

const log = testLog();
const never = (): Promise<void> => new Promise(() => {});

test('steps run one after the other, whatever becomes of each', async () => {
  const done: string[] = [];
  const clean = await drain({
    log,
    steps: [
      {
        name: 'slow',
        run: () => new Promise<void>((resolve) => setTimeout(resolve, 20)).then(() => void done.push('slow')),
      },
      {
        name: 'broken',
        run: () => {
          done.push('broken');
          throw new Error('broken');
        },
      },
      { name: 'late', limitMs: 20, run: never },
      { name: 'last', run: () => void done.push('last') },
    ],
  });
  expect(done).toEqual(['slow', 'broken', 'last']);
  expect(clean).toBe(false);
});

test('all of them together have a bound, and each is at least asked', async () => {
  const asked: number[] = [];
  const steps = [1, 2, 3].map((at) => ({
    name: `${at}`,
    run: () => {
      asked.push(at);
      return never();
    },
  }));
  expect(await drain({ log, steps, limitMs: 50 })).toBe(false);
  expect(asked).toEqual([1, 2, 3]);
});

test('with every step done it is clean', async () => {
  expect(await drain({ log, steps: [{ name: 'one', run: () => {} }] })).toBe(true);
});

interface Ended {
  readonly code: number | null;
  readonly said: string;
}

const child = (kind: string, signals: readonly NodeJS.Signals[]): Promise<Ended> =>
  new Promise((resolve) => {
    const file = fileURLToPath(new URL('./draining.ts', import.meta.url));
    const made = spawn(process.execPath, [file, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    const left = [...signals];
    made.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const signal = left.shift();
      if (signal) made.kill(signal);
    });
    made.on('exit', (code) => resolve({ code, said }));
  });

test.each([
  ['SIGTERM ends a process once its work is done', 'quick', ['SIGTERM'], { code: 0, said: 'ready\ndraining\ndone\n' }],
  ['SIGINT does, too', 'quick', ['SIGINT'], { code: 0, said: 'ready\ndraining\ndone\n' }],
  ['work that does not end is left', 'stuck', ['SIGTERM'], { code: 1, said: 'ready\ndraining\n' }],
  ['a second signal ends it at once', 'endless', ['SIGTERM', 'SIGTERM'], { code: 130, said: 'ready\ndraining\n' }],
] as const)('%s', async (_, kind, signals, ended) => {
  expect(await child(kind, signals)).toEqual(ended);
});
