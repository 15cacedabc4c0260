// Brings one channel up to date: what it is still to be told goes to it batch by batch, and what it was told is kept with each,
// so that nothing is lost with a process, and at most the batch under way is sent twice.
import type { Product } from '#proto/gen/product.ts';
import type { FeedSeller } from '#proto/product_offer.ts';
import type { AskContext, DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import { enterSandboxes } from '#runtime/postgres/sandbox_lock.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { type ChannelLine, type Delivered, deliver } from './delivery.ts';
import { dueOf, type Sight } from './due.ts';
import { goneLine, linesOf } from './format/format.ts';
import { type FoundChannel, keepChannel, type SyncProgress, secretContext } from './table/channel.ts';
import { type ItemRecord, noteSent, saveItems } from './table/item.ts';

/** "Batches of at most 1,000." */
const BATCH_PRODUCTS = 1_000;
const BATCH_BYTES = 4 << 20;
const PAGE_PRODUCTS = 100;
/** Longer than any attempt: then its process is gone. */
export const LEASE_MS = 45_000;

export type SyncParts = Pick<Runtime, 'clock' | 'postgres' | 'seal'> & {
  readonly askOrThrow: DomainClient['askOrThrow'];
  readonly outbound: Outbound;
};

export interface Synced {
  readonly progress: SyncProgress;
  /** What the push failed with; null where the channel is up to date. */
  readonly error: string | null;
  /** Another worker has it by now, or it was paused, deleted or led elsewhere. */
  readonly lost: boolean;
  /** As of when it is up to date; null where it is not. */
  readonly sight: Sight | null;
}

export interface Syncing {
  readonly worker: string;
  readonly shop: FeedSeller;
  /** For each batch. */
  readonly timeoutMs: number;
  /** As of when it was up to date; null where this process does not know. */
  readonly sight: Sight | null;
  readonly whileAnswering: WhileAnswering;
}

/** Runs what waits for the channel's answer alone, and takes none of the host's time meanwhile. */
export type WhileAnswering = <T>(answer: () => Promise<T>) => Promise<T>;

export const sync = async (
  parts: SyncParts,
  channel: FoundChannel,
  { worker, shop, timeoutMs, sight: before, whileAnswering }: Syncing,
): Promise<Synced> => {
  const { askOrThrow, clock, outbound, postgres, seal } = parts;
  const tenant = { store: channel.store, environment: channel.environment };
  const asker: AskContext = { tenant };
  const secret = seal.open(channel.secret, secretContext(tenant, channel.id));
  const { changed, gone, known, sight } = await dueOf(parts, asker, channel, before);
  let progress: SyncProgress = { total: changed.size + gone.length, pushed: 0, rejected: 0 };
  let lines: (ChannelLine & { readonly digest: number | null })[] = [];
  let bytes = 0;

  /** While the channel is still the worker's. False: it is not. */
  const write = (save: (sql: Sql) => Promise<void>): Promise<boolean> =>
    postgres.transaction(async ({ sql }) => {
      if ((await enterSandboxes(sql, [tenant]))(tenant).shut) return false;
      const until = new Date(clock.real() + LEASE_MS);
      if (!(await keepChannel(sql, channel, worker, until, progress))) return false;
      await save(sql);
      return true;
    });
  const lost = (): Synced => ({ progress, error: null, lost: true, sight: null });

  /** Null: go on. */
  const flush = async (): Promise<Synced | null> => {
    if (lines.length === 0) return null;
    const batch = lines;
    lines = [];
    bytes = 0;
    // A channel whose answer is lost may have taken what it was sent: that is to be taken back once it is gone.
    const first = batch.filter(({ product }) => !known.has(product)).map(({ product }) => product);
    // Of before it is sent: what is asked to be pushed anew while it is under way is pushed once more.
    const now = clock.now(tenant);
    if (first.length > 0 && !(await write((sql) => noteSent(sql, tenant, channel.id, first, now)))) return lost();
    const sent = { secret, lines: batch, realMs: clock.real(), timeoutMs };
    const delivered: Delivered = await whileAnswering(() => deliver(outbound, channel, sent));
    const { results, error } = delivered;
    const told: ItemRecord[] = [];
    const left: string[] = [];
    for (const { product, digest } of batch) {
      const rejection = results.get(product);
      if (rejection === undefined) continue;
      if (digest === null) left.push(product);
      else told.push({ product, digest, rejection, pushed_at: now });
    }
    const rejected = told.filter(({ rejection }) => rejection !== null).length;
    progress = {
      total: progress.total,
      pushed: progress.pushed + results.size - rejected,
      rejected: progress.rejected + rejected,
    };
    if (!(await write((sql) => saveItems(sql, tenant, channel.id, told, left)))) return lost();
    return error === null ? null : { progress, error, lost: false, sight: null };
  };

  const add = async (product: string, digest: number | null, objects: readonly object[]): Promise<Synced | null> => {
    const text = objects.map((object) => JSON.stringify(object)).join('\n');
    const ended = lines.length >= BATCH_PRODUCTS || bytes + text.length > BATCH_BYTES ? await flush() : null;
    lines.push({ product, text, digest });
    bytes += text.length + 1;
    return ended;
  };

  const ids = [...changed.keys()];
  for (let at = 0; at < ids.length; at += PAGE_PRODUCTS) {
    const product_ids = ids.slice(at, at + PAGE_PRODUCTS);
    const { products } = await askOrThrow('CatalogSource/NamedProducts', asker, { product_ids });
    for (const product of products as readonly Product[]) {
      const { id } = product;
      // What the channel was never told of need not be taken back.
      if (!product.is_active && !known.has(id)) {
        progress = { ...progress, total: progress.total - 1 };
        continue;
      }
      const objects = product.is_active ? linesOf(channel.format, shop, product) : [goneLine(channel.format, id)];
      const ended = await add(id, product.is_active ? changed.get(id)! : null, objects);
      if (ended) return ended;
    }
  }
  for (const id of gone) {
    const ended = await add(id, null, [goneLine(channel.format, id)]);
    if (ended) return ended;
  }
  return (await flush()) ?? { progress, error: null, lost: false, sight };
};
