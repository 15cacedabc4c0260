// Publication of a post or lookbook: how input and time change the status, and how the slug is chosen.
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { slugBase, uniqueSlug } from '#values/slug.ts';

/** Returns the ids that own slugs equal to `start` or beginning with `start` and a hyphen, by slug. */
export type TakenSlugs = (start: string) => Promise<ReadonlyMap<string, string>>;

export const refuseTaken = async (taken: TakenSlugs, slug: string, id: string): Promise<Refusal | null> => {
  const owner = (await taken(slug)).get(slug);
  if (owner === undefined || owner === id) return null;
  return refuse('conflict', `The slug "${slug}" belongs to another document. Choose another one.`, { param: 'slug' });
};

export const newSlug = async (
  taken: TakenSlugs,
  given: string | null | undefined,
  title: string,
  id: string,
): Promise<string | Refusal> => {
  if (given) return (await refuseTaken(taken, given, id)) ?? given;
  const others = await taken(slugBase(title, id));
  return uniqueSlug(title, id, (slug) => others.has(slug));
};

export type ContentStatus = 'draft' | 'scheduled' | 'published';

export interface Publication<S extends ContentStatus = ContentStatus> {
  readonly status: S;
  /** Time of publication; a draft may have one, but it has no effect. */
  readonly published_at: Date | null;
  readonly first_published_at: Date | null;
}

export interface PublicationInput<S extends ContentStatus = ContentStatus> {
  readonly status?: S | null | undefined;
  readonly published_at?: string | null | undefined;
}

export const UNPUBLISHED: Publication<'draft'> = { status: 'draft', published_at: null, first_published_at: null };

const badTime = (message: string): Refusal => refuse('invalid_request', message, { param: 'published_at' });

export const applyPublication = <S extends ContentStatus>(
  before: Publication<S>,
  input: PublicationInput<S>,
  now: Date,
): Publication<S> | Refusal => {
  const status = input.status ?? before.status;
  const given = input.published_at;
  const at = given === undefined ? before.published_at : given === null ? null : new Date(given);
  const ahead = at !== null && at > now;
  if (status === 'scheduled') {
    return ahead
      ? { ...before, status, published_at: at }
      : badTime('The status `scheduled` needs a `published_at` in the future.');
  }
  if (status === 'draft') return { ...before, status, published_at: at };
  if (ahead && given !== undefined) {
    return badTime('`published_at` is in the future. Set `status` to `scheduled`, or send an earlier time.');
  }
  // Publishing a scheduled document before its time publishes it now.
  return {
    status,
    published_at: at === null || ahead ? now : at,
    first_published_at: before.first_published_at ?? now,
  };
};

export const duePublication = (
  before: Publication,
  now: Date,
): (Publication & { readonly published_at: Date }) | null => {
  const { status, published_at: at, first_published_at } = before;
  if (status !== 'scheduled' || at === null || at > now) return null;
  return { status: 'published', published_at: at, first_published_at: first_published_at ?? at };
};

export const isFirstPublication = (before: Publication, after: Publication): boolean =>
  before.first_published_at === null && after.first_published_at !== null;

/** Returns the new value of an optional field: null clears it, undefined retains the value `before`. */
export const changedValue = <T>(input: T | null | undefined, before: T | null): T | null =>
  input === undefined ? before : input;
