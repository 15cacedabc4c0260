// Handlers of the blog.
import { randomUUIDv7 } from 'bun';
import type { BlogRpcs, PostTranslation } from '#proto/gen/blog.ts';
import { type Call, notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { refuseOutdated } from '#services/commerce/record_version.ts';
import type { StoreProfiles } from '#services/commerce/store_profile.ts';
import { languageOf, mergeTranslations } from '#services/commerce/translation.ts';
import type { AnnounceContent } from '#services/content/announcement.ts';
import { LIMIT_DEFAULT, pageOf, readListInput, rendered, seesEverything } from '#services/content/page.ts';
import { changedPost, newPost, type PostRecord, postAt, postDocument } from '#services/content/post.ts';
import {
  isFirstPublication,
  newSlug,
  refuseTaken,
  type TakenSlugs,
  UNPUBLISHED,
} from '#services/content/publication.ts';
import type { RevisionPoller } from '#services/content/revision_poller.ts';
import { publishIfDue } from '#services/content/schedule.ts';
import { deletePost, findPost, lockPost, pageOfPosts, postSlugs, savePost } from '#services/content/table/post.ts';
import { currentRevision } from '#services/content/table/revision.ts';
import { isSlug } from '#values/slug.ts';
import { nameKey } from '#values/text.ts';
import { EVERY_LANGUAGE } from '#values/translation.ts';

const takenIn =
  (sql: Sql, tenant: Tenant): TakenSlugs =>
  (start) =>
    postSlugs(sql, tenant, start);

export const postHandlers = (
  clock: Clock,
  languages: StoreProfiles<readonly string[]>,
  poller: RevisionPoller,
  announce: AnnounceContent,
): Handlers<BlogRpcs> => {
  const languagesFor = async (tenant: Tenant, { translations }: { readonly translations?: object | null }) =>
    translations ? languages.get(tenant) : [];

  const save = async (tx: Transaction, { tenant }: Call, before: PostRecord | null, post: PostRecord) => {
    await savePost(tx.sql, tenant, post);
    const object = postDocument(post);
    if (isFirstPublication(before ?? UNPUBLISHED, post)) await tx.emit(tenant, [{ type: 'post.published', object }]);
    return { post: postDocument(post, EVERY_LANGUAGE) };
  };

  return {
    ListPosts: query(async (sql, call, { limit = LIMIT_DEFAULT, tag, language, ...asked }) => {
      const view = readListInput('posts', call, asked, [tag === undefined ? null : nameKey(tag)]);
      if (view instanceof Refusal) return view;
      const revision = await currentRevision(sql, call.tenant);
      poller.noteRevision(call.tenant, revision);
      const now = clock.now(call.tenant);
      const filter = { status: view.status, tag: tag ?? null, now };
      const found = await pageOfPosts(sql, call.tenant, filter, view.after, limit + 1);
      const { rows, pagination } = pageOf(found, limit, view);
      const inLanguage = languageOf(call, { language });
      const posts = rows.map((row) => postDocument(postAt(row, now), inLanguage));
      return rendered({ posts, pagination }, revision, null);
    }),

    GetPost: query(async (sql, call, { slug, ...view }) => {
      const found = isSlug(slug) ? await findPost(sql, call.tenant, slug) : null;
      const post = found && postAt(found, clock.now(call.tenant));
      if (!found || !post || !(post.status === 'published' || seesEverything(call))) return notFound('post');
      poller.noteRevision(call.tenant, found.revision);
      return rendered({ post: postDocument(post, languageOf(call, view)) }, found.revision, post.id);
    }),

    CreatePost: transaction(async (tx, call, input) => {
      const { tenant } = call;
      const translations = mergeTranslations<PostTranslation>(
        null,
        input.translations,
        await languagesFor(tenant, input),
      );
      if (translations instanceof Refusal) return translations;
      const id = randomUUIDv7();
      // Locks the tenant's revision first, so that of two requests for one slug the second sees the first.
      await announce(tx, tenant, id);
      const slug = await newSlug(takenIn(tx.sql, tenant), input.slug, input.title, id);
      if (slug instanceof Refusal) return slug;
      const post = newPost({ ...input, translations }, id, slug, clock.now(tenant));
      return post instanceof Refusal ? post : save(tx, call, null, post);
    }),

    UpdatePost: transaction(async (tx, call, { id, version, ...change }) => {
      const { tenant } = call;
      const known = await languagesFor(tenant, change);
      await announce(tx, tenant, id.toLowerCase());
      const found = await lockPost(tx.sql, tenant, id);
      if (!found) return notFound('post');
      const outdated = refuseOutdated('post', found, version);
      if (outdated) return outdated;
      // Publishes the post first if its time has passed and the schedule has not run yet.
      const before = (await publishIfDue(tx, tenant, found)) ?? found;
      const translations = mergeTranslations<PostTranslation>(before.translations, change.translations, known);
      if (translations instanceof Refusal) return translations;
      const post = changedPost(before, { ...change, translations }, clock.now(tenant));
      if (post instanceof Refusal) return post;
      return (await refuseTaken(takenIn(tx.sql, tenant), post.slug, post.id)) ?? save(tx, call, before, post);
    }),

    DeletePost: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      await announce(tx, tenant, id);
      return (await deletePost(tx.sql, tenant, id, clock.now(tenant))) ? { deleted: true, id } : notFound('post');
    }),
  };
};
