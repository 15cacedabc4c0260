// A blog post: what it is made of, and how it is shown.
import type { BlogPost, CreatePostRequest, UpdatePostRequest } from '#proto/gen/blog.ts';
import { Refusal } from '#runtime/call/call.ts';
import { nameKey, typedName } from '#values/typed_name.ts';
import { come, type Publication, stand, UNBORN } from './publication.ts';

export interface PostRecord extends Publication {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly excerpt: string | null;
  readonly body: string;
  readonly cover_image: string | null;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly seo_title: string | null;
  readonly seo_description: string | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

/** Tags are compared without regard to letter case. */

/** Each once, as it was first written. */
const distinct = (tags: readonly string[]): string[] => {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(nameKey(tag))) byKey.set(nameKey(tag), typedName(tag));
  return [...byKey.values()];
};

export const newPost = (wish: CreatePostRequest, id: string, slug: string, now: Date): PostRecord | Refusal => {
  const standing = stand<Publication['status']>(UNBORN, wish, now);
  if (standing instanceof Refusal) return standing;
  return {
    id,
    title: wish.title,
    slug,
    excerpt: wish.excerpt ?? null,
    body: wish.body ?? '',
    cover_image: wish.cover_image ?? null,
    author: wish.author ?? null,
    tags: distinct(wish.tags ?? []),
    seo_title: wish.seo_title ?? null,
    seo_description: wish.seo_description ?? null,
    ...standing,
    created_at: now,
    updated_at: now,
  };
};

/** What may be null is emptied by null; of the rest null changes nothing. */
const emptied = <T>(wish: T | null | undefined, before: T | null): T | null => (wish === undefined ? before : wish);

export const changedPost = (
  before: PostRecord,
  wish: Omit<UpdatePostRequest, 'id'>,
  now: Date,
): PostRecord | Refusal => {
  const standing = stand(before, wish, now);
  if (standing instanceof Refusal) return standing;
  return {
    ...before,
    title: wish.title ?? before.title,
    slug: wish.slug ?? before.slug,
    excerpt: emptied(wish.excerpt, before.excerpt),
    body: wish.body ?? before.body,
    cover_image: emptied(wish.cover_image, before.cover_image),
    author: emptied(wish.author, before.author),
    tags: wish.tags ? distinct(wish.tags) : before.tags,
    seo_title: emptied(wish.seo_title, before.seo_title),
    seo_description: emptied(wish.seo_description, before.seo_description),
    status: standing.status,
    published_at: standing.published_at,
    told_at: standing.told_at,
    updated_at: now,
  };
};

/** As it is now: published by time alone, where nothing has written that down yet. */
export const settled = (post: PostRecord, now: Date): PostRecord => ({ ...post, ...come(post, now) });

export const shownPost = (post: PostRecord): BlogPost => ({
  id: post.id,
  title: post.title,
  slug: post.slug,
  excerpt: post.excerpt,
  body: post.body,
  cover_image: post.cover_image,
  author: post.author,
  tags: post.tags,
  status: post.status,
  published_at: post.published_at?.toISOString() ?? null,
  seo_title: post.seo_title,
  seo_description: post.seo_description,
  created_at: post.created_at.toISOString(),
  updated_at: post.updated_at.toISOString(),
});
