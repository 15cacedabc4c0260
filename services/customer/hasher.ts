// Threads for hashing: as many as run at once, begun when first needed.
import { Unavailable } from '#runtime/fault.ts';
import type { HashAnswer, HashTask } from './hash_thread.ts';

export interface Hasher {
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
  close(): void;
}

interface Thread {
  readonly worker: Worker;
  settle: { readonly done: (answer: HashAnswer) => void; readonly fail: (problem: unknown) => void } | null;
}

/** Whoever uses it brings no more at once than he wants threads. */
export const openHasher = (): Hasher => {
  const threads = new Set<Thread>();
  let closed = false;

  const end = (thread: Thread, problem: unknown): void => {
    threads.delete(thread);
    thread.worker.terminate();
    thread.settle?.fail(problem);
  };

  const begin = (): Thread => {
    const worker = new Worker(new URL('./hash_thread.ts', import.meta.url).href, { smol: true });
    const thread: Thread = { worker, settle: null };
    worker.onmessage = ({ data }: MessageEvent<HashAnswer>) => {
      const { settle } = thread;
      thread.settle = null;
      worker.unref();
      settle?.done(data);
    };
    worker.onerror = ({ message }) => end(thread, new Unavailable(`A thread that hashes has ended: ${message}`));
    threads.add(thread);
    return thread;
  };

  const run = (task: HashTask): Promise<HashAnswer> =>
    new Promise((done, fail) => {
      if (closed) return fail(new Unavailable('Passwords are not hashed any more.'));
      const thread = [...threads].find(({ settle }) => settle === null) ?? begin();
      thread.settle = { done, fail };
      thread.worker.ref();
      thread.worker.postMessage(task);
    });

  return {
    hash: async (password) => {
      const answer = await run({ password, hash: null });
      if ('hash' in answer) return answer.hash;
      throw new Error('problem' in answer ? answer.problem : 'A thread answered something else.');
    },
    verify: async (password, hash) => {
      const answer = await run({ password, hash });
      if ('right' in answer) return answer.right;
      throw new Error('problem' in answer ? answer.problem : 'A thread answered something else.');
    },
    close: () => {
      closed = true;
      for (const thread of [...threads]) end(thread, new Unavailable('Passwords are not hashed any more.'));
    },
  };
};
