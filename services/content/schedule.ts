// Publishes what is scheduled when its time has come, by its tenant's clock.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { AnnounceContent } from './announcement.ts';
import { type PostRecord, shownPost } from './post.ts';
import { come, isFirst } from './publication.ts';
import { duePosts, duePostsOf, lockPost, savePost } from './table/post.ts';

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

const LOOK_MS = 500;
const AT_ONCE_MAX = 200;

/** As it is once its time has come, told as of that moment; null before. */
export const publishIfDue = async (tx: Transaction, tenant: Tenant, post: PostRecord): Promise<PostRecord | null> => {
  const standing = come(post, tx.clock.now(tenant));
  if (!standing) return null;
  const published = { ...post, ...standing };
  await savePost(tx.sql, tenant, published);
  const event = { type: 'post.published', object: shownPost(published) } as const;
  // Nothing is published that has no time.
  if (isFirst(post, published)) await tx.emitAll([{ tenant, event, createdAt: standing.published_at as Date }]);
  return published;
};

/** What was told; null where another host was faster. */
const publish = async (
  announce: AnnounceContent,
  tx: Transaction,
  tenant: Tenant,
  id: string,
): Promise<readonly string[] | null> => {
  await announce(tx, tenant, id);
  const found = await lockPost(tx.sql, tenant, id);
  const published = found && (await publishIfDue(tx, tenant, found));
  if (!published) return null;
  return isFirst(found, published) ? ['post.published'] : [];
};

export const postsDue = (announce: AnnounceContent): SharedDue => ({
  list: async (sql, tenant, until, max) => {
    const due = await duePostsOf(sql, tenant, new Date(until), max);
    return due.map(({ id, published_at }) => ({ id, at: published_at.getTime() }));
  },
  fire: async (tx, tenant, { id }) => ({ types: (await publish(announce, tx, tenant, id)) ?? [] }),
});

const publishDue = async ({ postgres, clock, log }: Parts, announce: AnnounceContent): Promise<void> => {
  const moved = clock.moved().map((tenant) => ({ tenant, now: clock.now(tenant) }));
  const due = await duePosts(postgres.sql, new Date(clock.real()), moved, AT_ONCE_MAX);
  for (const { tenant, id } of due) {
    // A journey through time sees to it itself.
    if (clock.stands(tenant)) continue;
    try {
      await postgres.transaction((tx) => publish(announce, tx, tenant, id));
    } catch (problem) {
      // The others need not wait for it.
      log.warn({ err: problem, post: id }, 'a post was not published');
    }
  }
};

/** Looks twice a second. Returns how to stop. */
export const startSchedule = (parts: Parts, announce: AnnounceContent): (() => void) =>
  repeatedly({
    everyMs: LOOK_MS,
    able: () => parts.postgres.available,
    resting: { ...parts, isDue: async (until) => (await duePosts(parts.postgres.sql, until, [], 1)).length > 0 },
    work: () => publishDue(parts, announce),
    failed: (problem) => parts.log.warn({ err: problem }, 'scheduled posts could not be looked for'),
  });
