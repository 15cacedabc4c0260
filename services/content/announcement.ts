// Announces a committed change of content: to this host's edges before the writer's response, to other hosts over the
// bus.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { RevisionPoller } from './revision_poller.ts';
import { raiseRevision } from './table/revision.ts';

/**
 * Raises and locks the tenant's content revision until the transaction ends, so that a tenant's changes run one after
 * another. `id` is the changed post or lookbook; null means any of them.
 */
export type AnnounceContent = (tx: Transaction, tenant: Tenant, id: string | null) => Promise<void>;

export const announcer =
  ({ notices }: Pick<Runtime, 'notices'>, poller: RevisionPoller): AnnounceContent =>
  async (tx, tenant, id) => {
    const revision = await raiseRevision(tx.sql, tenant);
    tx.afterCommit(() => {
      poller.noteRevision(tenant, revision);
      notices.publish({ kind: 'content', tenant, revision, ids: id === null ? null : [id] });
    });
  };
