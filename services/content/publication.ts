// When something is published: what a wish of its author makes of a status, and what time alone does.
import { type Refusal, refuse } from '#runtime/call/call.ts';

export type ContentStatus = 'draft' | 'scheduled' | 'published';

/** How a post or a lookbook stands. */
export interface Publication<S extends ContentStatus = ContentStatus> {
  readonly status: S;
  /** Of a draft: whatever its author wrote down. */
  readonly published_at: Date | null;
  /** When it was published for the first time. */
  readonly told_at: Date | null;
}

export interface StandingWish<S extends ContentStatus = ContentStatus> {
  readonly status?: S | null | undefined;
  /** Null takes back what was said before. */
  readonly published_at?: string | null | undefined;
}

export const UNBORN: Publication<'draft'> = { status: 'draft', published_at: null, told_at: null };

const badTime = (message: string): Refusal => refuse('invalid_request', message, { param: 'published_at' });

/** As the author wishes it at this moment. */
export const stand = <S extends ContentStatus>(
  before: Publication<S>,
  wish: StandingWish<S>,
  now: Date,
): Publication<S> | Refusal => {
  const status = wish.status ?? before.status;
  const given = wish.published_at;
  const at = given === undefined ? before.published_at : given === null ? null : new Date(given);
  const ahead = at !== null && at > now;
  if (status === 'scheduled') {
    return ahead
      ? { ...before, status, published_at: at }
      : badTime('`scheduled` needs a `published_at` in the future.');
  }
  if (status === 'draft') return { ...before, status, published_at: at };
  if (ahead && given !== undefined) {
    return badTime('What is published was not published in the future: its status would be `scheduled`.');
  }
  // Published before its time, it is published now.
  return { status, published_at: at === null || ahead ? now : at, told_at: before.told_at ?? now };
};

/** What is scheduled, once its time has come; null before. */
export const come = (before: Publication, now: Date): Publication | null => {
  const { status, published_at: at, told_at } = before;
  if (status !== 'scheduled' || at === null || at > now) return null;
  return { status: 'published', published_at: at, told_at: told_at ?? at };
};

/** Whether this is its first publication, which is told. */
export const isFirst = (before: Publication, after: Publication): boolean =>
  before.told_at === null && after.told_at !== null;
