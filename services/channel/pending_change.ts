// Finds what a channel must still receive: compares digests of the catalogue's products with the digests sent. Compares
// all products periodically, and changed products in between.

import type { AskContext, DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { FoundChannel } from './table/channel.ts';
import { findItems, type ItemRecord } from './table/item.ts';

const DIGESTS_PER_PAGE = 500;
/** Time between comparisons of all products, which also find items that another host has sent. */
const FULL_COMPARE_MS = 60_000;

export interface SyncCursor {
  readonly instance: string;
  readonly edition: number;
  readonly removal: number;
  /** Real time of the last comparison of all products, in ms. */
  readonly comparedAllAt: number;
}

export interface PendingChanges {
  readonly changed: ReadonlyMap<string, number>;
  readonly gone: readonly string[];
  readonly sentItems: ReadonlyMap<string, ItemRecord>;
  readonly cursor: SyncCursor;
}

export type PendingChangeChannel = Pick<FoundChannel, 'store' | 'environment' | 'id' | 'full_sync_since'> & {
  /** Language of the texts; absent for the store's default one. */
  readonly textLanguage?: string | undefined;
};

export type PendingChangeRuntime = Pick<Runtime, 'clock' | 'postgres'> & Pick<DomainClient, 'askOrThrow'>;

/**
 * Returns whether to send the item. A full sync sends each item once after its start, even if several processes
 * continue it.
 */
const mustSend = (item: ItemRecord | undefined, digest: number, { full_sync_since }: PendingChangeChannel): boolean =>
  item?.digest !== digest || (full_sync_since !== null && item.pushed_at < full_sync_since);

export const findPendingChanges = async (
  { clock, askOrThrow, postgres }: PendingChangeRuntime,
  context: AskContext,
  channel: PendingChangeChannel,
  before: SyncCursor | null,
): Promise<PendingChanges> => {
  const real = clock.real();
  const since =
    before !== null && channel.full_sync_since === null && real - before.comparedAllAt < FULL_COMPARE_MS
      ? before
      : null;
  const digests = new Map<string, number>();
  let [instance, edition, round] = [since?.instance ?? '', since?.edition ?? 0, 0];
  let removal: number | null = null;
  let removed = since === null;
  // Reads page by page, so that other calls can run in between. Repeats until a round finds no change, since products
  // may change during a round.
  for (let more = true; more; ) {
    const asked = { instance, since: edition, round, limit: DIGESTS_PER_PAGE, language: channel.textLanguage };
    const page = await askOrThrow('CatalogSource/ListProductDigests', context, asked);
    for (const { product_id, digest } of page.digests) digests.set(product_id, digest);
    removal ??= page.removal;
    removed ||= page.removal !== since?.removal;
    more = page.has_more || page.digests.length > 0;
    ({ instance, edition, round } = page);
  }
  const items = await findItems(postgres.sql, channel, channel.id, removed ? null : [...digests.keys()]);
  const known = new Map(items.map((item) => [item.product, item]));
  const changed = new Map([...digests].filter(([id, digest]) => mustSend(known.get(id), digest, channel)));
  const cursor: SyncCursor = { instance, edition, removal: removal!, comparedAllAt: since?.comparedAllAt ?? real };
  if (!removed) return { changed, gone: [], sentItems: known, cursor };
  const { product_ids } = await askOrThrow('CatalogSource/ListProductIds', context, {});
  const there = new Set(product_ids);
  return { changed, gone: [...known.keys()].filter((id) => !there.has(id)), sentItems: known, cursor };
};
