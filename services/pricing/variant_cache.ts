// Variants as the catalogue prices them, kept while the catalogue's revision lets them stand: what was asked for once is
// at hand without asking again.
import type { WareList as ToldList, VariantWare } from '#proto/gen/catalog_directory.ts';
import { type Call, Refusal, type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { nameKey } from '#values/typed_name.ts';
import type { PriceList, Ware } from './price.ts';

interface CachedVariants {
  /** The catalogue's, as of which all of them stand. */
  revision: number;
  /** Real time in ms until which that is believed without asking. */
  until: number;
  readonly wares: Map<string, Ware>;
  /** Which of them a product has, so that its change is found. */
  readonly byProduct: Map<string, string[]>;
}

/** Of all tenants together: about 60 MB. */
const WARES_MAX = 100_000;
const ASKED_MAX = 1_000;
/** A notice may be lost with the bus; nothing is believed for longer. */
const AGE_MS_MAX = 30_000;

/** In the order in which they were asked for; undefined where there is no such variant. */
export type Wares = readonly (Ware | undefined)[];

/** What the variants of one answer share: their lists, and one text for each category and collection. */
export class SharedPrices {
  readonly lists: readonly PriceList[];
  readonly #places: ReadonlyMap<string, number>;
  readonly #texts = new Map<string, string>();

  constructor(lists: readonly ToldList[]) {
    this.lists = lists.map(({ id, currency, customer_group, starts_at, ends_at }) => ({
      id,
      currency,
      group: customer_group === null ? null : nameKey(customer_group),
      startsAt: starts_at ?? Number.NEGATIVE_INFINITY,
      endsAt: ends_at ?? Number.POSITIVE_INFINITY,
    }));
    this.#places = new Map(lists.map(({ id }, at) => [id, at]));
  }

  ware(told: VariantWare): Ware {
    const prices = told.list_prices.map(({ price_list_id, min_quantity, price }) => ({
      place: this.#places.get(price_list_id)!,
      from: min_quantity,
      price,
    }));
    prices.sort((a, b) => a.place - b.place || a.from - b.from);
    return {
      id: told.variant_id,
      product: told.product_id,
      category: told.category_id === null ? null : this.#one(told.category_id),
      subcategory: told.subcategory_id === null ? null : this.#one(told.subcategory_id),
      collections: told.collection_ids.map((id) => this.#one(id)),
      active: told.is_active,
      price: told.price,
      salePrice: told.sale_price,
      lists: this.lists,
      listPrices: prices.flatMap(({ place, from, price }) => [place, from, price]),
    };
  }

  #one(text: string): string {
    const known = this.#texts.get(text);
    if (known === undefined) this.#texts.set(text, text);
    return known ?? text;
  }
}

export class VariantCache {
  readonly #runtime: Pick<Runtime, 'ask' | 'clock'>;
  readonly #tenants = new Map<TenantKey, CachedVariants>();
  readonly #waresMax: number;
  #size = 0;

  constructor(runtime: Pick<Runtime, 'ask' | 'clock'>, waresMax = WARES_MAX) {
    this.#runtime = runtime;
    this.#waresMax = waresMax;
  }

  get size(): number {
    return this.#size;
  }

  /** The wares of these ids, at least as new as the caller has seen the catalogue; at once where all are at hand. */
  get(call: Call, ids: readonly string[]): Wares | Promise<Wares> {
    const cached = this.#tenants.get(tenantKey(call.tenant));
    const now = this.#runtime.clock.real();
    if (!cached || cached.revision < call.revisionMin || cached.until <= now) return this.#fetch(call, ids, []);
    const found = ids.map((id) => cached.wares.get(id));
    return found.includes(undefined) ? this.#fetch(call, ids, found) : found;
  }

  /** The tenant's catalogue has a newer revision: what it changed is no longer good. */
  hear({ tenant, revision, ids }: Notice): void {
    const cached = this.#tenants.get(tenantKey(tenant));
    if (!cached || revision === 0) return;
    // Anything at all may have changed, or a notice was missed.
    if (ids === null || revision > cached.revision + 1) {
      this.#clear(cached, revision);
      return;
    }
    for (const product of ids) {
      for (const id of cached.byProduct.get(product) ?? []) if (cached.wares.delete(id)) this.#size--;
      cached.byProduct.delete(product);
    }
    cached.revision = Math.max(cached.revision, revision);
  }

  /** While no notice tells of changes, the next caller asks. */
  doubt(): void {
    for (const cached of this.#tenants.values()) cached.until = 0;
  }

  /** With those that `found` lacks. */
  async #fetch(call: Call, asked: readonly string[], found: Wares): Promise<Wares> {
    const fetched = new Map<string, Ware>();
    const ids = asked.filter((_, at) => !found[at]);
    const key = tenantKey(call.tenant);
    const revisionMin = Math.max(call.revisionMin, this.#tenants.get(key)?.revision ?? 0);
    const { deadline, requestId, trace, tenant } = call;
    for (let at = 0; at < ids.length; at += ASKED_MAX) {
      const reply = await this.#runtime.ask(
        'CatalogDirectory/WaresByIds',
        tenant,
        { variant_ids: ids.slice(at, at + ASKED_MAX) },
        { deadline, requestId, trace, revisionMin },
      );
      if (reply instanceof Refusal) throw new Unavailable('The catalogue does not answer.');
      const shared = new SharedPrices(reply.lists);
      const wares = reply.wares.map((told) => shared.ware(told));
      for (const ware of wares) fetched.set(ware.id, ware);
      this.#keep(tenant, reply.revision, wares);
    }
    return asked.map((id, at) => found[at] ?? fetched.get(id));
  }

  #keep(tenant: Tenant, revision: number, wares: readonly Ware[]): void {
    const key = tenantKey(tenant);
    const cached = this.#tenants.get(key) ?? { revision, until: 0, wares: new Map(), byProduct: new Map() };
    // Older than what is known of: what has changed since cannot be told. It was good for who asked.
    if (revision < cached.revision) return;
    if (revision > cached.revision) this.#clear(cached, revision);
    cached.until = this.#runtime.clock.real() + AGE_MS_MAX;
    for (const ware of wares) {
      if (!cached.wares.has(ware.id)) this.#size++;
      cached.wares.set(ware.id, ware);
      const siblings = cached.byProduct.get(ware.product);
      if (!siblings) cached.byProduct.set(ware.product, [ware.id]);
      else if (!siblings.includes(ware.id)) siblings.push(ware.id);
    }
    // The one filled last is the last in the map: the one that was not filled for longest goes first.
    this.#tenants.delete(key);
    this.#tenants.set(key, cached);
    while (this.#size > this.#waresMax) {
      const [oldest, other] = this.#tenants.entries().next().value as [TenantKey, CachedVariants];
      this.#size -= other.wares.size;
      this.#tenants.delete(oldest);
    }
  }

  #clear(cached: CachedVariants, revision: number): void {
    this.#size -= cached.wares.size;
    cached.wares.clear();
    cached.byProduct.clear();
    cached.revision = Math.max(cached.revision, revision);
  }
}
