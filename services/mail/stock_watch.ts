// Mails shoppers when a product that they wait for can be bought again. Looks at a tenant's alerts after each change of its
// catalogue, and at all alerts now and then, since a notice of a change can be lost.
import { Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { StockMail } from './kind.ts';
import { pageOfWatchedStock, takeStockAlerts, tenantsWithStockAlerts, type WatchedStock } from './table/stock_alert.ts';
import { writeMail } from './transaction.ts';

export interface StockWatch {
  /** Returns the stock as mails show it; null if it cannot be bought. Refused with `not_found` if it does not exist. */
  find(tenant: Tenant, watched: WatchedStock): Promise<StockMail['product'] | null | Refusal>;
  /** Looks at the tenant's alerts soon. */
  note(tenant: Tenant, products: readonly string[] | null): void;
  start(): () => void;
}

const LOOK_MS = 1_000;
const SWEEP_MS = 60_000;
const PRODUCTS_MAX = 100;
const MAILS_MAX = 200;
/** Products that a tenant's changes name before all of its alerts are looked at instead. */
const NAMED_MAX = 1_000;

interface Changed {
  readonly tenant: Tenant;
  /** Null for any product. */
  products: Set<string> | null;
}

export const openStockWatch = (
  { postgres, log }: Pick<Runtime, 'postgres' | 'log'>,
  { askOrThrow }: Pick<DomainClient, 'askOrThrow'>,
): StockWatch => {
  const changed = new Map<TenantKey, Changed>();

  /** Returns the mail's data of each stock that can be bought now, and null for the others that exist. */
  const findAll = async (tenant: Tenant, watched: readonly WatchedStock[]) => {
    const call = { tenant };
    const product_ids = [...new Set(watched.map(({ product_id }) => product_id))];
    const variant_ids = watched.flatMap(({ variant_id }) => variant_id ?? []);
    const [{ products }, { variants }] = await Promise.all([
      askOrThrow('CatalogDirectory/ProductsByIds', call, { product_ids }),
      askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids }),
    ]);
    const productOf = new Map(products.map((product) => [product.id, product]));
    const variantOf = new Map(variants.map((variant) => [variant.variant_id, variant]));
    return (one: WatchedStock): StockMail['product'] | null | undefined => {
      const product = productOf.get(one.product_id);
      if (!product) return undefined;
      const slug = product.product_slug ?? product.id;
      if (one.variant_id === null) {
        const { name, total_stock, stock, selling_price: price, display_currency: currency } = product;
        const buyable = product.is_active && (total_stock ?? stock ?? 0) > 0;
        return buyable ? { name, variant_name: null, slug, price, currency } : null;
      }
      const variant = variantOf.get(one.variant_id);
      if (variant?.product_id !== one.product_id) return undefined;
      const { name, variant_name, selling_price: price, currency } = variant;
      return product.is_active && variant.is_active && variant.stock > 0
        ? { name, variant_name, slug, price, currency }
        : null;
    };
  };

  const mail = async (tenant: Tenant, watched: WatchedStock, product: StockMail['product']): Promise<void> => {
    for (let taken = MAILS_MAX; taken === MAILS_MAX; ) {
      taken = await postgres.transaction(async (tx) => {
        const alerts = await takeStockAlerts(tx.sql, tenant, watched, MAILS_MAX);
        for (const { id, email: to, language } of alerts)
          await writeMail(tx, tenant, { kind: 'back_in_stock', data: { product }, to, language, cause: id });
        return alerts.length;
      }, tenant);
    }
  };

  const look = async ({ tenant, products }: Changed): Promise<void> => {
    const named = products && [...products];
    for (let after: string | null = null; ; ) {
      const page: readonly WatchedStock[] = await pageOfWatchedStock(postgres.sql, tenant, after, named, PRODUCTS_MAX);
      const last = page.at(-1);
      if (!last) return;
      const dataOf = await findAll(tenant, page);
      for (const watched of page) {
        const product = dataOf(watched);
        if (product) await mail(tenant, watched, product);
      }
      after = last.product_id;
    }
  };

  const note: StockWatch['note'] = (tenant, products) => {
    const key = tenantKey(tenant);
    const noted = changed.get(key) ?? { tenant, products: new Set<string>() };
    for (const product of products ?? []) noted.products?.add(product);
    if (products === null || (noted.products?.size ?? 0) > NAMED_MAX) noted.products = null;
    changed.set(key, noted);
  };

  const failed = (problem: unknown): void =>
    log.warn({ err: problem }, 'failed to look at alerts for stock; will retry');

  const lookAtChanged = async (): Promise<void> => {
    const all = [...changed.values()];
    changed.clear();
    for (const one of all)
      await look(one).catch((problem) => {
        note(one.tenant, one.products && [...one.products]);
        failed(problem);
      });
  };
  const able = (): boolean => postgres.available;

  return {
    find: async (tenant, watched) => {
      const found = (await findAll(tenant, [watched]))(watched);
      return found === undefined ? new Refusal('not_found', 'No such product.') : found;
    },
    note,
    start: () => {
      const stops = [
        repeatedly({ everyMs: LOOK_MS, able, work: lookAtChanged, failed }),
        repeatedly({
          everyMs: SWEEP_MS,
          able,
          work: async () => {
            for (const tenant of await tenantsWithStockAlerts(postgres.sql)) note(tenant, null);
          },
          failed,
        }),
      ];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
};
