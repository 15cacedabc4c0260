// A blog post: the record and the document for callers.
import type { BlogPost, CreatePostRequest, PostTranslation, UpdatePostRequest } from '#proto/gen/blog.ts';
import { Refusal } from '#runtime/call/call.ts';
import { changeTime } from '#services/commerce/record_version.ts';
import { nameKey, typedName } from '#values/text.ts';
import { type AnswerLanguage, inLanguage, type Translations } from '#values/translation.ts';
import { applyPublication, changedValue, duePublication, type Publication, UNPUBLISHED } from './publication.ts';

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
  readonly translations: Translations<PostTranslation> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const distinct = (tags: readonly string[]): string[] => {
  const byKey = new Map<string, string>();
  for (const tag of tags) if (!byKey.has(nameKey(tag))) byKey.set(nameKey(tag), typedName(tag));
  return [...byKey.values()];
};

type Ready<R> = Omit<R, 'translations'> & { readonly translations: PostRecord['translations'] };

/** `translations` are those of the post after the request. */
export const newPost = (input: Ready<CreatePostRequest>, id: string, slug: string, now: Date): PostRecord | Refusal => {
  const publication = applyPublication<Publication['status']>(UNPUBLISHED, input, now);
  if (publication instanceof Refusal) return publication;
  return {
    id,
    title: input.title,
    slug,
    excerpt: input.excerpt ?? null,
    body: input.body ?? '',
    cover_image: input.cover_image ?? null,
    author: input.author ?? null,
    tags: distinct(input.tags ?? []),
    seo_title: input.seo_title ?? null,
    seo_description: input.seo_description ?? null,
    translations: input.translations,
    ...publication,
    created_at: now,
    updated_at: now,
  };
};

export const changedPost = (
  before: PostRecord,
  input: Ready<Omit<UpdatePostRequest, 'id' | 'version'>>,
  now: Date,
): PostRecord | Refusal => {
  const publication = applyPublication(before, input, now);
  if (publication instanceof Refusal) return publication;
  return {
    ...before,
    title: input.title ?? before.title,
    slug: input.slug ?? before.slug,
    excerpt: changedValue(input.excerpt, before.excerpt),
    body: input.body ?? before.body,
    cover_image: changedValue(input.cover_image, before.cover_image),
    author: changedValue(input.author, before.author),
    tags: input.tags ? distinct(input.tags) : before.tags,
    seo_title: changedValue(input.seo_title, before.seo_title),
    seo_description: changedValue(input.seo_description, before.seo_description),
    translations: input.translations,
    status: publication.status,
    published_at: publication.published_at,
    first_published_at: publication.first_published_at,
    updated_at: changeTime(before, now),
  };
};

/** Returns a due post as published, even if the schedule has not updated the row yet. */
export const postAt = (post: PostRecord, now: Date): PostRecord => ({ ...post, ...duePublication(post, now) });

/** Without a language the document has the default texts alone. */
export const postDocument = (post: PostRecord, language?: AnswerLanguage): BlogPost =>
  inLanguage(defaultDocument(post), post.translations, language);

const defaultDocument = (post: PostRecord): BlogPost => ({
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
