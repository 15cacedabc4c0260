// Work that is done a slice at a time, so that none of it is long in another's way.

const SLICE = 5_000;
/** Others write between two slices. */
const PAUSE_MS = 20;

/** Until less than a slice was left; how much was done. `work` does at most so much at a time, and says how much it did. */
export const inSlices = async (work: (limit: number) => Promise<number>, slice = SLICE): Promise<number> => {
  for (let done = 0; ; ) {
    const count = await work(slice);
    done += count;
    if (count < slice) return done;
    await Bun.sleep(PAUSE_MS);
  }
};

export interface Repeated {
  readonly everyMs: number;
  /** Not begun while this is false: the database is away. */
  readonly able: () => boolean;
  readonly work: () => Promise<unknown>;
  readonly failed: (problem: unknown) => void;
}

/** Again and again, never twice at once. Returns how to stop. */
export const repeatedly = ({ everyMs, able, work, failed }: Repeated): (() => void) => {
  let busy = false;
  const timer = setInterval(() => {
    if (busy || !able()) return;
    busy = true;
    work()
      .catch(failed)
      .finally(() => {
        busy = false;
      });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
};
