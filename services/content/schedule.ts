// Publishes posts when their scheduled times pass by the tenant's clock.
import type { Tenant } from '#runtime/call/call.ts';
import type { SharedDue } from '#runtime/domain/due.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { dueAtOnce, repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { AnnounceContent } from './announcement.ts';
import { type PostRecord, postDocument } from './post.ts';
import { duePublication, isFirstPublication } from './publication.ts';
import { duePosts, duePostsOf, lockPost, savePost } from './table/post.ts';

type Parts = Pick<Runtime, 'postgres' | 'clock' | 'log'>;

const POLL_MS = 500;
const POSTS_PER_ROUND = 200;

export const publishIfDue = async (tx: Transaction, tenant: Tenant, post: PostRecord): Promise<PostRecord | null> => {
  const publication = duePublication(post, tx.clock.now(tenant));
  if (!publication) return null;
  const published = { ...post, ...publication };
  await savePost(tx.sql, tenant, published);
  const event = { type: 'post.published', object: postDocument(published) } as const;
  if (isFirstPublication(post, published)) await tx.emitAll([{ tenant, event, createdAt: publication.published_at }]);
  return published;
};

/** Publishes one post. Returns the emitted event types; null if another host published it first. */
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
  return isFirstPublication(found, published) ? ['post.published'] : [];
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
  const due = await duePosts(postgres.sql, new Date(clock.real()), moved, POSTS_PER_ROUND);
  for (const { tenant, id } of due) {
    // Skips a sandbox whose clock is being advanced: the advance publishes its posts.
    if (clock.isFrozen(tenant)) continue;
    try {
      await postgres.transaction((tx) => publish(announce, tx, tenant, id));
    } catch (problem) {
      log.warn({ err: problem, post: id }, 'failed to publish a scheduled post');
    }
  }
};

export const startSchedule = (parts: Parts, announce: AnnounceContent): (() => void) =>
  repeatedly({
    everyMs: POLL_MS,
    able: () => parts.postgres.available,
    resting: {
      ...parts,
      nextDue: async (until) => dueAtOnce((await duePosts(parts.postgres.sql, until, [], 1)).length > 0),
    },
    work: () => publishDue(parts, announce),
    failed: (problem) => parts.log.warn({ err: problem }, 'failed to find scheduled posts'),
  });
