// Lets a change name the state of a record that it is based on: the record's `updated_at`.
import { type Refusal, refuse } from '#runtime/call/call.ts';

interface Changed {
  readonly updated_at: Date;
}

/** The version of a record that is there without ever having been written, such as a built-in template. */
export const NEVER_CHANGED = new Date(0);

/** Later than the former change also where a sandbox's clock stands still, so that it identifies a state of the record. */
export const changeTime = (before: Changed | null, now: Date): Date =>
  before !== null && before.updated_at >= now ? new Date(before.updated_at.getTime() + 1) : now;

/** Null: the change names no version, or the present one. `record` must be locked. */
export const refuseOutdated = (noun: string, { updated_at }: Changed, version: string | undefined): Refusal | null => {
  if (version === undefined || Date.parse(version) === updated_at.getTime()) return null;
  return refuse('conflict', `The ${noun} has changed since; its \`updated_at\` is ${updated_at.toISOString()}.`, {
    param: 'version',
    hint: `Read the ${noun} again, and send the change with its new \`updated_at\` as \`version\`.`,
  });
};
