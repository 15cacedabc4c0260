// The door of the blog.
import { randomUUIDv7 } from 'bun';
import type { BlogRpcs } from '#proto/gen/blog.ts';
import { type Call, notFound, Refusal, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { Clock } from '#runtime/process/clock.ts';
import type { AnnounceContent } from '#services/content/announcement.ts';
import { rendered } from '#services/content/answer.ts';
import { LIMIT_DEFAULT, pageOf, seesEverything, viewOf } from '#services/content/page.ts';
import { changedPost, newPost, type PostRecord, settled, shownPost } from '#services/content/post.ts';
import { isFirst, UNBORN } from '#services/content/publication.ts';
import { publishIfDue } from '#services/content/schedule.ts';
import { newSlug, refuseTaken, type TakenSlugs } from '#services/content/slug.ts';
import { deletePost, findPost, lockPost, pageOfPosts, postSlugs, savePost } from '#services/content/table/post.ts';
import { currentRevision } from '#services/content/table/revision.ts';
import type { Watch } from '#services/content/watch.ts';
import { isSlug } from '#values/slug.ts';
import { nameKey } from '#values/typed_name.ts';

const takenIn =
  (sql: Sql, tenant: Tenant): TakenSlugs =>
  (start) =>
    postSlugs(sql, tenant, start);

export const postHandlers = (clock: Clock, watch: Watch, announce: AnnounceContent): Handlers<BlogRpcs> => {
  /** Writes it, and tells of it where this is its first publication. */
  const keep = async (tx: Transaction, { tenant }: Call, before: PostRecord | null, post: PostRecord) => {
    await savePost(tx.sql, tenant, post);
    const object = shownPost(post);
    if (isFirst(before ?? UNBORN, post)) await tx.emit(tenant, [{ type: 'post.published', object }]);
    return { post: object };
  };

  return {
    ListPosts: query(async (sql, call, { limit = LIMIT_DEFAULT, tag, ...asked }) => {
      const view = viewOf('posts', call, asked, [tag === undefined ? null : nameKey(tag)]);
      if (view instanceof Refusal) return view;
      const revision = await currentRevision(sql, call.tenant);
      watch.saw(call.tenant, revision);
      const now = clock.now(call.tenant);
      const filter = { status: view.status, tag: tag ?? null, now };
      const found = await pageOfPosts(sql, call.tenant, filter, view.after, limit + 1);
      const { rows, pagination } = pageOf(found, limit, view);
      return rendered({ posts: rows.map((row) => shownPost(settled(row, now))), pagination }, revision, '');
    }),

    GetPost: query(async (sql, call, { slug }) => {
      const found = isSlug(slug) ? await findPost(sql, call.tenant, slug) : null;
      const post = found && settled(found, clock.now(call.tenant));
      if (!found || !post || !(post.status === 'published' || seesEverything(call))) return notFound('post');
      watch.saw(call.tenant, found.revision);
      return rendered({ post: shownPost(post) }, found.revision, post.id);
    }),

    CreatePost: transaction(async (tx, call, input) => {
      const { tenant } = call;
      const id = randomUUIDv7();
      // From here on the tenant's changes come one after the other: two that want one slug see each other.
      await announce(tx, tenant, id);
      const slug = await newSlug(takenIn(tx.sql, tenant), input.slug, input.title, id);
      if (slug instanceof Refusal) return slug;
      const post = newPost(input, id, slug, clock.now(tenant));
      return post instanceof Refusal ? post : keep(tx, call, null, post);
    }),

    UpdatePost: transaction(async (tx, call, { id, ...change }) => {
      const { tenant } = call;
      await announce(tx, tenant, id.toLowerCase());
      const found = await lockPost(tx.sql, tenant, id);
      if (!found) return notFound('post');
      // What time alone has done comes first, if nothing has looked at it since.
      const before = (await publishIfDue(tx, tenant, found)) ?? found;
      const post = changedPost(before, change, clock.now(tenant));
      if (post instanceof Refusal) return post;
      return (await refuseTaken(takenIn(tx.sql, tenant), post.slug, post.id)) ?? keep(tx, call, before, post);
    }),

    DeletePost: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      await announce(tx, tenant, id);
      return (await deletePost(tx.sql, tenant, id, clock.now(tenant))) ? { deleted: true, id } : notFound('post');
    }),
  };
};
