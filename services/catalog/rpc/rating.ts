// Refreshes products' ratings. Reads them from the review domain while holding the tenant's lock, so that an older
// rating never overwrites a newer one. The lock also keeps ratings from before a sandbox reset from being written after
// it.
import type { CatalogDirectoryRpcs } from '#proto/gen/catalog_directory.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { AnnounceProducts } from '#services/catalog/product_write.ts';
import { saveRatings } from '#services/catalog/table/product.ts';
import { nextRevision, setRevision } from '#services/catalog/table/revision.ts';

export const ratingHandlers = (
  runtime: Pick<Runtime, 'ask'>,
  announce: AnnounceProducts,
): Pick<Handlers<CatalogDirectoryRpcs>, 'RefreshRatings'> => {
  const { askOrThrow } = openDomainClient(runtime);
  return {
    RefreshRatings: transaction(async (tx, { tenant }, { product_ids }) => {
      const stateOf = await enterSandboxes(tx.sql, [tenant]);
      if (stateOf(tenant).shut) throw new Unavailable('The sandbox is being reset.');
      const revision = await nextRevision(tx.sql, tenant);
      const { ratings } = await askOrThrow('ReviewDirectory/GetRatings', { tenant }, { product_ids });
      const changed = await saveRatings(tx.sql, tenant, revision, ratings);
      if (changed.length === 0) return {};
      await setRevision(tx.sql, tenant, revision);
      announce(tx, tenant, revision, changed);
      return {};
    }),
  };
};
