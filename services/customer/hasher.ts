// Processes for hashing, begun when first needed. A hash begins in one that takes only what no other thread wants of the
// processor, so that no request waits for it; what such a one does not get done in time is begun in one that gets its share.
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#runtime/call/fault.ts';
import { type HashAnswer, type HashTask, READY } from './hash_process.ts';
import type { Manner } from './scheduling.ts';

export interface Hasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  close(): void;
}

/** A hash takes a tenth of it where there is anything to spare. */
const LATE_MS = 300;
const FILE = fileURLToPath(new URL('./hash_process.ts', import.meta.url));
/**
 * It is told passwords, and none of the house's secrets. It keeps the 19 MiB that a hash is made in: given back after each,
 * the kernel clears 4,000 pages for the next one, a fifth of its work.
 */
const ENVIRONMENT = { MIMALLOC_PURGE_DELAY: '-1' };
const CLOSED = 'Passwords are not hashed any more.';

/** What makes a process of each manner; one of niceness 0 takes its share of the processor as every process does. */
export const commandsOf = (niceness: number): Readonly<Record<Manner, readonly string[]>> => ({
  idle: [process.execPath, '--smol', FILE, 'idle'],
  steady: [process.execPath, '--smol', FILE, 'steady', String(niceness)],
});

interface Running {
  readonly process: Bun.Subprocess;
  readonly ready: Promise<void>;
  settle: { readonly done: (answer: HashAnswer) => void; readonly fail: (problem: unknown) => void } | null;
}

/** A caller brings no more than `atOnce` at once. */
export const openHasher = (atOnce: number, niceness: number, commands = commandsOf(niceness)): Hasher => {
  const idleMax = niceness > 0 ? atOnce : 0;
  const running: Readonly<Record<Manner, Set<Running>>> = { idle: new Set(), steady: new Set() };
  let closed = false;

  const begin = (manner: Manner): Running => {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const began: Running = {
      ready,
      settle: null,
      process: Bun.spawn([...commands[manner]], {
        env: ENVIRONMENT,
        stdio: ['ignore', 'ignore', 'inherit'],
        ipc: (message: typeof READY | HashAnswer) => {
          if (message === READY) return resolve();
          const { settle } = began;
          began.settle = null;
          settle?.done(message);
        },
        onExit: () => {
          running[manner].delete(began);
          began.settle?.fail(new Unavailable(closed ? CLOSED : 'A process that hashes has ended.'));
        },
      }),
    };
    began.process.unref();
    running[manner].add(began);
    return began;
  };

  const free = (manner: Manner): Running | undefined => [...running[manner]].find(({ settle }) => settle === null);

  const ask = (one: Running, task: HashTask): Promise<HashAnswer> =>
    new Promise((done, fail) => {
      one.settle = { done, fail };
      one.ready.then(() => one.process.send(task)).catch(fail);
    });

  const steadily = async (task: HashTask): Promise<HashAnswer> => {
    if (closed) throw new Unavailable(CLOSED);
    return ask(free('steady') ?? begin('steady'), task);
  };

  const run = async (task: HashTask): Promise<HashAnswer> => {
    if (closed) throw new Unavailable(CLOSED);
    const idle = free('idle') ?? (running.idle.size < idleMax ? begin('idle') : null);
    // Each of them still does what was late: there is nothing to spare. (Or none is to stand back.)
    if (idle === null) return steadily(task);
    const { promise: late, resolve, reject } = Promise.withResolvers<HashAnswer>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const answer = ask(idle, task).finally(() => clearTimeout(timer));
    void idle.ready.then(() => {
      timer = setTimeout(() => steadily(task).then(resolve, reject), LATE_MS);
    });
    return Promise.race([answer, late]);
  };

  return {
    hash: async (password) => {
      const answer = await run({ password, hash: null });
      if ('hash' in answer) return answer.hash;
      throw new Error('problem' in answer ? answer.problem : 'A process answered something else.');
    },
    verify: async (password, hash) => {
      const answer = await run({ password, hash });
      if ('right' in answer) return answer.right;
      throw new Error('problem' in answer ? answer.problem : 'A process answered something else.');
    },
    close: () => {
      closed = true;
      for (const { process } of [...running.idle, ...running.steady]) process.kill('SIGKILL');
    },
  };
};
