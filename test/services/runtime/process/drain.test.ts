// The way out: in order, within a bound, and at once when told twice.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { drain } from '#runtime/process/drain.ts';
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

test('reports a clean drain when every step is done', async () => {
  expect(await drain({ log, steps: [{ name: 'one', run: () => {} }] })).toBe(true);
});

interface Ended {
  readonly code: number | null;
  readonly said: readonly string[];
}

/** A signal, and the line after which it is sent. */
type Sent = readonly [after: string, signal: NodeJS.Signals];

const READY = 'ready';
const NOTICE = 'about to end';
const DRAINING = 'draining';

const child = (kind: string, signals: readonly Sent[]): Promise<Ended> =>
  new Promise((resolve) => {
    const file = fileURLToPath(new URL('./draining.ts', import.meta.url));
    const made = spawn(process.execPath, [file, kind], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    const left = [...signals];
    made.stdout.on('data', (bytes: Buffer) => {
      said += bytes.toString();
      const [next] = left;
      if (!next || !said.includes(next[0])) return;
      left.shift();
      made.kill(next[1]);
    });
    made.on('exit', (code) => resolve({ code, said: said.trim().split('\n') }));
  });

test.each([
  {
    name: 'SIGTERM ends a process once its work is done',
    kind: 'quick',
    signals: [[READY, 'SIGTERM']],
    ended: { code: 0, said: [READY, NOTICE, DRAINING, 'done'] },
  },
  {
    name: 'SIGINT does, too',
    kind: 'quick',
    signals: [[READY, 'SIGINT']],
    ended: { code: 0, said: [READY, NOTICE, DRAINING, 'done'] },
  },
  {
    name: 'work that does not end is left',
    kind: 'stuck',
    signals: [[READY, 'SIGTERM']],
    ended: { code: 1, said: [READY, NOTICE, DRAINING] },
  },
  {
    name: 'what it says first has its time',
    kind: 'patient',
    signals: [
      [READY, 'SIGTERM'],
      [NOTICE, 'SIGTERM'],
    ],
    ended: { code: 130, said: [READY, NOTICE] },
  },
  {
    name: 'and none where a person waits at a terminal',
    kind: 'patient',
    signals: [
      [READY, 'SIGINT'],
      [DRAINING, 'SIGINT'],
    ],
    ended: { code: 130, said: [READY, NOTICE, DRAINING] },
  },
  {
    name: 'a second signal ends it at once',
    kind: 'endless',
    signals: [
      [READY, 'SIGTERM'],
      [DRAINING, 'SIGTERM'],
    ],
    ended: { code: 130, said: [READY, NOTICE, DRAINING] },
  },
] satisfies { name: string; kind: string; signals: Sent[]; ended: Ended }[])(
  '$name',
  async ({ kind, signals, ended }) => {
    expect(await child(kind, signals)).toEqual(ended);
  },
);
