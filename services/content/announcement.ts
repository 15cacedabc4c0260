// Announces a committed change of content: to this host's edges before its writer is answered, over the bus to others.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { RevisionPoller } from './revision_poller.ts';
import { raiseRevision } from './table/revision.ts';

/**
 * Locks the tenant's revision, so that its changes run one after another until the transaction ends. `id` names the
 * post or lookbook; null means any.
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
