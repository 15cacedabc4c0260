// How a committed change of content gets around: to this host's edges before its writer is answered, and over the bus to
// other hosts'.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { raiseRevision } from './table/revision.ts';
import type { Watch } from './watch.ts';

/**
 * A change of the tenant's content begins: from here on its changes come one after the other, until the transaction ends.
 * `id` names the post or lookbook; null: anything may change.
 */
export type AnnounceContent = (tx: Transaction, tenant: Tenant, id: string | null) => Promise<void>;

export const announcer =
  ({ notices }: Pick<Runtime, 'notices'>, watch: Watch): AnnounceContent =>
  async (tx, tenant, id) => {
    const revision = await raiseRevision(tx.sql, tenant);
    tx.afterCommit(() => {
      watch.saw(tenant, revision);
      notices.publish({ kind: 'content', tenant, revision, ids: id === null ? null : [id] });
    });
  };
