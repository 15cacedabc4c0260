// Publishes posts when their scheduled times pass by the tenant's clock.
import type { Tenant } from '#runtime/call/call.ts';
import type { ListedDue } from '#runtime/domain/due.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { AnnounceContent } from './announcement.ts';
import { type PostRecord, postDocument } from './post.ts';
import { duePublication, isFirstPublication } from './publication.ts';
import { duePosts, lockPost, savePost } from './table/post.ts';

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

export const postsDue = (announce: AnnounceContent): ListedDue => ({
  name: 'scheduled posts',
  list: duePosts,
  fire: async (tx, { tenant, id }) => ({ types: (await publish(announce, tx, tenant, id)) ?? [] }),
});
