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
