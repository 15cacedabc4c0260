// The slug of something new: the one that was given, or one made from its title.
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { freeSlug, slugBase } from '#values/slug.ts';

/** Which of these slugs, or of slugs that begin so with a hyphen behind, are taken, and by which ids. */
export type TakenSlugs = (start: string) => Promise<ReadonlyMap<string, string>>;

/** Null where it is free, or already its own. */
export const refuseTaken = async (taken: TakenSlugs, slug: string, id: string): Promise<Refusal | null> => {
  const owner = (await taken(slug)).get(slug);
  if (owner === undefined || owner === id) return null;
  return refuse('conflict', `The slug "${slug}" is taken.`, { param: 'slug' });
};

/** One that was given has to be free; one that is made is made so. */
export const newSlug = async (
  taken: TakenSlugs,
  given: string | null | undefined,
  title: string,
  id: string,
): Promise<string | Refusal> => {
  if (given) return (await refuseTaken(taken, given, id)) ?? given;
  const others = await taken(slugBase(title, id));
  return freeSlug(title, id, (slug) => others.has(slug));
};
