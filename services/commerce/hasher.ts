// Runs password hashing in child processes, which start when first needed.
import { fileURLToPath } from 'node:url';
import { Unavailable } from '#runtime/call/fault.ts';
import { type HashAnswer, type HashTask, READY } from './hash_process.ts';

export interface Hasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  close(): void;
}

const FILE = fileURLToPath(new URL('./hash_process.ts', import.meta.url));
/**
 * Environment of the child processes; contains no secrets of the parent. The variable makes the allocator keep the 19
 * MiB between hashes: clearing those pages for each hash costs a fifth of the work.
 */
const ENVIRONMENT = { MIMALLOC_PURGE_DELAY: '-1' };
const CLOSED = 'The hasher is closed.';

interface HashWorker {
  readonly process: Bun.Subprocess;
  readonly ready: Promise<void>;
  settle: { readonly done: (answer: HashAnswer) => void; readonly fail: (problem: unknown) => void } | null;
}

/** Starts one process per concurrent caller; the caller must bound their number. */
export const openHasher = (niceness: number): Hasher => {
  const running = new Set<HashWorker>();
  let closed = false;

  const start = (): HashWorker => {
    const { promise: ready, resolve } = Promise.withResolvers<void>();
    const started: HashWorker = {
      ready,
      settle: null,
      process: Bun.spawn([process.execPath, '--smol', FILE, String(niceness)], {
        env: ENVIRONMENT,
        stdio: ['ignore', 'ignore', 'inherit'],
        ipc: (message: typeof READY | HashAnswer) => {
          if (message === READY) return resolve();
          const { settle } = started;
          started.settle = null;
          settle?.done(message);
        },
        onExit: () => {
          running.delete(started);
          started.settle?.fail(new Unavailable(closed ? CLOSED : 'The hashing process ended before it answered.'));
        },
      }),
    };
    started.process.unref();
    running.add(started);
    return started;
  };

  const run = async (task: HashTask): Promise<HashAnswer> => {
    if (closed) throw new Unavailable(CLOSED);
    const free = [...running].find(({ settle }) => settle === null) ?? start();
    return new Promise((done, fail) => {
      free.settle = { done, fail };
      free.ready.then(() => free.process.send(task)).catch(fail);
    });
  };

  return {
    hash: async (password) => {
      const answer = await run({ password, hash: null });
      if ('hash' in answer) return answer.hash;
      throw new Error('problem' in answer ? answer.problem : 'The hashing process sent an unexpected answer.');
    },
    verify: async (password, hash) => {
      const answer = await run({ password, hash });
      if ('right' in answer) return answer.right;
      throw new Error('problem' in answer ? answer.problem : 'The hashing process sent an unexpected answer.');
    },
    close: () => {
      closed = true;
      for (const { process } of running) process.kill('SIGKILL');
    },
  };
};
