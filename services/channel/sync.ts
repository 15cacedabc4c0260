// Sends a channel its pending changes in batches and records each result. A crash loses nothing and repeats at most one
// batch.
import type { Product } from '#proto/gen/product.ts';
import type { FeedSeller } from '#proto/product_offer.ts';
import type { AskContext, DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type ChannelLine, type DeliveryResult, deliver } from './delivery.ts';
import { deletionLine, linesOf } from './format/format.ts';
import { findPendingChanges, type SyncCursor } from './pending_change.ts';
import { type FoundChannel, type SyncProgress, saveProgress, secretContext } from './table/channel.ts';
import { type ItemRecord, markSent, saveItems } from './table/item.ts';

const BATCH_PRODUCTS_MAX = 1_000;
const BATCH_BYTES_MAX = 4 << 20;
const PRODUCTS_PER_PAGE = 100;
export type SyncRuntime = Pick<Runtime, 'clock' | 'postgres' | 'seal'> & {
  readonly askOrThrow: DomainClient['askOrThrow'];
  readonly outbound: Outbound;
};

export interface SyncResult {
  readonly progress: SyncProgress;
  /** Null if the channel is up to date. */
  readonly error: string | null;
  /** True if another worker has claimed the channel, or it was paused, deleted or redirected. */
  readonly lost: boolean;
  readonly cursor: SyncCursor | null;
}

export interface SyncOptions {
  readonly seller: FeedSeller;
  /** Language of the texts; absent for the store's default one. */
  readonly language?: string | undefined;
  readonly timeoutMs: number;
  readonly cursor: SyncCursor | null;
  readonly whileWaiting: WhileWaiting;
}

/** Waits for the channel's response without counting as an active sync. */
export type WhileWaiting = <T>(answer: () => Promise<T>) => Promise<T>;

export const sync = async (
  runtime: SyncRuntime,
  channel: FoundChannel,
  { seller, language, timeoutMs, cursor: before, whileWaiting }: SyncOptions,
): Promise<SyncResult> => {
  const { askOrThrow, clock, outbound, postgres, seal } = runtime;
  const tenant = { store: channel.store, environment: channel.environment };
  const context: AskContext = { tenant };
  const secret = seal.open(channel.secret, secretContext(tenant, channel.id));
  const { changed, gone, sentItems, cursor } = await findPendingChanges(
    runtime,
    context,
    { ...channel, textLanguage: language },
    before,
  );
  let progress: SyncProgress = { total: changed.size + gone.length, pushed: 0, rejected: 0 };
  let lines: (ChannelLine & { readonly digest: number | null })[] = [];
  let bytes = 0;

  const write = (save: (sql: Sql) => Promise<void>): Promise<boolean> =>
    postgres.transaction(async ({ sql }) => {
      if ((await enterSandboxes(sql, [tenant]))(tenant).shut) return false;
      if (!(await saveProgress(sql, channel, progress))) return false;
      await save(sql);
      return true;
    });
  const lost = (): SyncResult => ({ progress, error: null, lost: true, cursor: null });

  const flush = async (): Promise<SyncResult | null> => {
    if (lines.length === 0) return null;
    const batch = lines;
    lines = [];
    bytes = 0;
    // Recorded before sending, because a channel may store an item although its response is lost. The item must then be
    // deleted later.
    const first = batch.filter(({ product }) => !sentItems.has(product)).map(({ product }) => product);
    // Taken before sending, so that a full sync requested during the push sends these items again.
    const now = clock.now(tenant);
    if (first.length > 0 && !(await write((sql) => markSent(sql, tenant, channel.id, first, now)))) return lost();
    const sent = { secret, lines: batch, realMs: clock.real(), timeoutMs };
    const delivered: DeliveryResult = await whileWaiting(() => deliver(outbound, channel, sent));
    const { results, error } = delivered;
    const answered: ItemRecord[] = [];
    const removed: string[] = [];
    for (const { product, digest } of batch) {
      const rejection = results.get(product);
      if (rejection === undefined) continue;
      if (digest === null) removed.push(product);
      else answered.push({ product, digest, rejection, pushed_at: now });
    }
    const rejected = answered.filter(({ rejection }) => rejection !== null).length;
    progress = {
      total: progress.total,
      pushed: progress.pushed + results.size - rejected,
      rejected: progress.rejected + rejected,
    };
    if (!(await write((sql) => saveItems(sql, tenant, channel.id, answered, removed)))) return lost();
    return error === null ? null : { progress, error, lost: false, cursor: null };
  };

  const add = async (
    product: string,
    digest: number | null,
    objects: readonly object[],
  ): Promise<SyncResult | null> => {
    const text = objects.map((object) => JSON.stringify(object)).join('\n');
    const ended = lines.length >= BATCH_PRODUCTS_MAX || bytes + text.length > BATCH_BYTES_MAX ? await flush() : null;
    lines.push({ product, text, digest });
    bytes += text.length + 1;
    return ended;
  };

  const ids = [...changed.keys()];
  for (let at = 0; at < ids.length; at += PRODUCTS_PER_PAGE) {
    const product_ids = ids.slice(at, at + PRODUCTS_PER_PAGE);
    const { products } = await askOrThrow('CatalogSource/NamedProducts', context, { product_ids, language });
    for (const product of products as readonly Product[]) {
      const { id } = product;
      if (!product.is_active && !sentItems.has(id)) {
        progress = { ...progress, total: progress.total - 1 };
        continue;
      }
      const objects = product.is_active ? linesOf(channel.format, seller, product) : [deletionLine(channel.format, id)];
      const ended = await add(id, product.is_active ? changed.get(id)! : null, objects);
      if (ended) return ended;
    }
  }
  for (const id of gone) {
    const ended = await add(id, null, [deletionLine(channel.format, id)]);
    if (ended) return ended;
  }
  return (await flush()) ?? { progress, error: null, lost: false, cursor };
};
