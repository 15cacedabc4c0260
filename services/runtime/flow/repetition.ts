// Work that is done again and again, never twice at once.

export interface Repeated {
  readonly everyMs: number;
  /** Not begun while this is false: the database is away. */
  readonly able: () => boolean;
  readonly work: () => Promise<unknown>;
  readonly failed: (problem: unknown) => void;
}

/** Returns how to stop. What is under way then ends by itself. */
export const repeatedly = ({ everyMs, able, work, failed }: Repeated): (() => void) => {
  let busy = false;
  const timer = setInterval(async () => {
    if (busy || !able()) return;
    busy = true;
    try {
      await work();
    } catch (problem) {
      failed(problem);
    } finally {
      busy = false;
    }
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
};
