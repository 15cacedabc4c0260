// Caches variants with their prices. An entry is valid for the catalogue revision at which it was read.
import type { PricingList as CatalogPriceList, PricingVariant } from '#proto/gen/catalog_directory.ts';
import { type Call, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { nameKey } from '#values/text.ts';
import type { PricedVariant, PriceList } from './price.ts';

interface CachedVariants {
  revision: number;
  validUntilMs: number;
  readonly variants: Map<string, PricedVariant>;
  readonly idsByProduct: Map<string, string[]>;
}

/** For all tenants together; about 60 MB. */
const VARIANTS_MAX = 100_000;
const VARIANTS_PER_QUERY = 1_000;
/** Maximum age of an entry in ms, in case a notice was lost. */
const VALID_MS = 30_000;

/** Variants in the order of the requested ids; undefined for a variant that does not exist. */
export type FoundVariants = readonly (PricedVariant | undefined)[];

export class SharedPrices {
  readonly lists: readonly PriceList[];
  readonly #listIndexes: ReadonlyMap<string, number>;
  readonly #texts = new Map<string, string>();

  constructor(lists: readonly CatalogPriceList[]) {
    this.lists = lists.map(({ id, currency, customer_group, starts_at, ends_at }) => ({
      id,
      currency,
      group: customer_group === null ? null : nameKey(customer_group),
      startsAt: starts_at ?? Number.NEGATIVE_INFINITY,
      endsAt: ends_at ?? Number.POSITIVE_INFINITY,
    }));
    this.#listIndexes = new Map(lists.map(({ id }, at) => [id, at]));
  }

  toVariant(row: PricingVariant): PricedVariant {
    const prices = row.list_prices.map(({ price_list_id, min_quantity, price }) => ({
      place: this.#listIndexes.get(price_list_id)!,
      from: min_quantity,
      price,
    }));
    prices.sort((a, b) => a.place - b.place || a.from - b.from);
    return {
      id: row.variant_id,
      product: row.product_id,
      category: row.category_id === null ? null : this.#interned(row.category_id),
      subcategory: row.subcategory_id === null ? null : this.#interned(row.subcategory_id),
      collections: row.collection_ids.map((id) => this.#interned(id)),
      active: row.is_active,
      price: row.price,
      salePrice: row.sale_price,
      lists: this.lists,
      listPrices: prices.flatMap(({ place, from, price }) => [place, from, price]),
    };
  }

  #interned(text: string): string {
    const cached = this.#texts.get(text);
    if (cached === undefined) this.#texts.set(text, text);
    return cached ?? text;
  }
}

export class VariantCache {
  readonly #runtime: Pick<Runtime, 'ask' | 'clock'>;
  readonly #tenants = new Map<TenantKey, CachedVariants>();
  readonly #variantsMax: number;
  #size = 0;

  constructor(runtime: Pick<Runtime, 'ask' | 'clock'>, variantsMax = VARIANTS_MAX) {
    this.#runtime = runtime;
    this.#variantsMax = variantsMax;
  }

  get size(): number {
    return this.#size;
  }

  /** Returns variants at least as new as `call.revisionMin`, synchronously if all are cached. */
  get(call: Call, ids: readonly string[]): FoundVariants | Promise<FoundVariants> {
    const cached = this.#tenants.get(tenantKey(call.tenant));
    const now = this.#runtime.clock.real();
    if (!cached || cached.revision < call.revisionMin || cached.validUntilMs <= now) return this.#fetch(call, ids, []);
    const found = ids.map((id) => cached.variants.get(id));
    return found.includes(undefined) ? this.#fetch(call, ids, found) : found;
  }

  applyNotice({ tenant, revision, ids }: Notice): void {
    const cached = this.#tenants.get(tenantKey(tenant));
    if (!cached || revision === 0) return;
    // Drops all of the tenant's variants: the notice names no products, or a notice before it was lost.
    if (ids === null || revision > cached.revision + 1) {
      this.#clear(cached, revision);
      return;
    }
    for (const product of ids) {
      for (const id of cached.idsByProduct.get(product) ?? []) if (cached.variants.delete(id)) this.#size--;
      cached.idsByProduct.delete(product);
    }
    cached.revision = Math.max(cached.revision, revision);
  }

  expireAll(): void {
    for (const cached of this.#tenants.values()) cached.validUntilMs = 0;
  }

  async #fetch(call: Call, ids: readonly string[], found: FoundVariants): Promise<FoundVariants> {
    const fetched = new Map<string, PricedVariant>();
    const missing = ids.filter((_, at) => !found[at]);
    const key = tenantKey(call.tenant);
    const revisionMin = Math.max(call.revisionMin, this.#tenants.get(key)?.revision ?? 0);
    const { deadline, requestId, trace, tenant } = call;
    for (let at = 0; at < missing.length; at += VARIANTS_PER_QUERY) {
      const reply = await this.#runtime.ask(
        'CatalogDirectory/PricingVariantsByIds',
        tenant,
        { variant_ids: missing.slice(at, at + VARIANTS_PER_QUERY) },
        { deadline, requestId, trace, revisionMin },
      );
      if (reply instanceof Refusal) throw new Unavailable('The catalogue could not return the variants.');
      const shared = new SharedPrices(reply.lists);
      const variants = reply.variants.map((row) => shared.toVariant(row));
      for (const variant of variants) fetched.set(variant.id, variant);
      this.#store(tenant, reply.revision, variants);
    }
    return ids.map((id, at) => found[at] ?? fetched.get(id));
  }

  #store(tenant: Tenant, revision: number, variants: readonly PricedVariant[]): void {
    const key = tenantKey(tenant);
    const cached = this.#tenants.get(key) ?? {
      revision,
      validUntilMs: 0,
      variants: new Map(),
      idsByProduct: new Map(),
    };
    // Does not cache a response that is older than the cache; it serves only this request.
    if (revision < cached.revision) return;
    if (revision > cached.revision) this.#clear(cached, revision);
    cached.validUntilMs = this.#runtime.clock.real() + VALID_MS;
    for (const variant of variants) {
      if (!cached.variants.has(variant.id)) this.#size++;
      cached.variants.set(variant.id, variant);
      const siblings = cached.idsByProduct.get(variant.product);
      if (!siblings) cached.idsByProduct.set(variant.product, [variant.id]);
      else if (!siblings.includes(variant.id)) siblings.push(variant.id);
    }
    // Moves the tenant to the end of the map, because eviction begins at the start.
    this.#tenants.delete(key);
    this.#tenants.set(key, cached);
    while (this.#size > this.#variantsMax) {
      const [oldest, other] = this.#tenants.entries().next().value as [TenantKey, CachedVariants];
      this.#size -= other.variants.size;
      this.#tenants.delete(oldest);
    }
  }

  #clear(cached: CachedVariants, revision: number): void {
    this.#size -= cached.variants.size;
    cached.variants.clear();
    cached.idsByProduct.clear();
    cached.revision = Math.max(cached.revision, revision);
  }
}
