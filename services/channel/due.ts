// What a channel is still to be told: what the catalogue shows is held against what the channel was told, by digests. All of it
// is looked at now and then; in between, what changed since the look before.

import type { AskContext, DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { FoundChannel } from './table/channel.ts';
import { type ItemRecord, itemsOf } from './table/item.ts';

const PAGE_DIGESTS = 500;
/** What another host told a channel shows in a look at everything alone. */
const WHOLE_MS = 60_000;

/** As of when this process knows a channel to be up to date. */
export interface Sight {
  readonly instance: string;
  readonly edition: number;
  readonly removal: number;
  /** When everything was looked at, by the real clock. */
  readonly wholeAt: number;
}

export interface Outstanding {
  /** To be told, with the digest of what is told. */
  readonly changed: ReadonlyMap<string, number>;
  /** Told of, and no longer there. */
  readonly gone: readonly string[];
  /** What the channel was told of these, and of others. */
  readonly known: ReadonlyMap<string, ItemRecord>;
  /** Once all of it is told. */
  readonly sight: Sight;
}

/** Which channel, and whether all of it is to be pushed anew. */
export type DueChannel = Pick<FoundChannel, 'store' | 'environment' | 'id' | 'whole_since'>;

export type DueParts = Pick<Runtime, 'clock' | 'postgres'> & Pick<DomainClient, 'askOrThrow'>;

/** Where everything is pushed anew, what was pushed since that began is done, though the process died that did it. */
const isDue = (item: ItemRecord | undefined, digest: number, { whole_since }: DueChannel): boolean =>
  item?.digest !== digest || (whole_since !== null && item.pushed_at < whole_since);

/** `before`: null where nothing is known of the channel; then everything is looked at. */
export const dueOf = async (
  { clock, askOrThrow, postgres }: DueParts,
  asker: AskContext,
  channel: DueChannel,
  before: Sight | null,
): Promise<Outstanding> => {
  const real = clock.real();
  const since = before !== null && channel.whole_since === null && real - before.wholeAt < WHOLE_MS ? before : null;
  const digests = new Map<string, number>();
  let [instance, edition, round] = [since?.instance ?? '', since?.edition ?? 0, 0];
  let removal: number | null = null;
  let removed = since === null;
  // Slice by slice, other calls in between: the catalogue renders each page in some milliseconds.
  // What changes while a round is told is in the next one: the last of them tells of nothing.
  for (let more = true; more; ) {
    const asked = { instance, since: edition, round, limit: PAGE_DIGESTS };
    const page = await askOrThrow('CatalogSource/ListProductDigests', asker, asked);
    for (const { product_id, digest } of page.digests) digests.set(product_id, digest);
    removal ??= page.removal;
    removed ||= page.removal !== since?.removal;
    more = page.has_more || page.digests.length > 0;
    ({ instance, edition, round } = page);
  }
  const items = await itemsOf(postgres.sql, channel, channel.id, removed ? null : [...digests.keys()]);
  const known = new Map(items.map((item) => [item.product, item]));
  const changed = new Map([...digests].filter(([id, digest]) => isDue(known.get(id), digest, channel)));
  const sight: Sight = { instance, edition, removal: removal!, wholeAt: since?.wholeAt ?? real };
  if (!removed) return { changed, gone: [], known, sight };
  const { product_ids } = await askOrThrow('CatalogSource/ListProductIds', asker, {});
  const there = new Set(product_ids);
  return { changed, gone: [...known.keys()].filter((id) => !there.has(id)), known, sight };
};
