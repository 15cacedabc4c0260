// Reads products from the catalogue page by page.

import type { ChangedProductsResponse, ListProductDigestsResponse } from '#proto/gen/catalog_source.ts';
import type { Product } from '#proto/gen/product.ts';
import type { Hit } from '#proto/gen/search.ts';
import type { Call, Refusal, Rendered, Tenant } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';

/** Number of products per page; reading and indexing a page takes some milliseconds. */
const PAGE_PRODUCTS = 40;

/** Number of digests per page; the catalogue needs some milliseconds for a page. */
const PAGE_DIGESTS = 500;

export interface Edition {
  readonly instance: string;
  readonly since: number;
  readonly round: number;
}

export const NO_EDITION: Edition = { instance: '', since: 0, round: 0 };

export const editionAfter = ({
  instance,
  edition,
  round,
}: Pick<ChangedProductsResponse, 'instance' | 'edition' | 'round'>): Edition => ({
  instance,
  since: edition,
  round,
});

export interface ProductPage extends Omit<ChangedProductsResponse, 'products'> {
  readonly products: readonly Product[];
}

export interface CatalogueSource {
  changed(tenant: Tenant, edition: Edition, revisionMin: number, language?: string): Promise<ProductPage>;
  digests(tenant: Tenant, edition: Edition): Promise<ListProductDigestsResponse>;
  named(tenant: Tenant, ids: readonly string[]): AsyncIterable<readonly Product[]>;
  ids(tenant: Tenant): Promise<readonly string[]>;
  /** Returns the catalogue revisions of stores in the tenant's environment. */
  revisions(tenant: Tenant, stores: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Returns found products as in lists, with scores; `docIds`, if any, let the catalogue find them faster. */
  found(
    call: Pick<Call, 'tenant' | 'deadline' | 'requestId' | 'trace'>,
    hits: readonly Hit[],
    docIds: readonly number[] | undefined,
    shown: {
      readonly currency: string | null;
      readonly language: string | undefined;
      readonly with_lowest_prices?: boolean;
    },
  ): Promise<Rendered | Refusal>;
}

export const openSource = ({ ask }: Pick<Runtime, 'ask'>): CatalogueSource => {
  const { askOrThrow } = openDomainClient({ ask });
  return {
    changed: (tenant, edition, revisionMin, language) =>
      askOrThrow(
        'CatalogSource/ChangedProducts',
        { tenant, revisionMin },
        { ...edition, limit: PAGE_PRODUCTS, language },
      ),
    digests: (tenant, edition) =>
      askOrThrow('CatalogSource/ListProductDigests', { tenant }, { ...edition, limit: PAGE_DIGESTS }),
    async *named(tenant, ids) {
      for (let at = 0; at < ids.length; at += PAGE_PRODUCTS) {
        const page = { product_ids: ids.slice(at, at + PAGE_PRODUCTS) };
        yield (await askOrThrow('CatalogSource/NamedProducts', { tenant }, page)).products;
      }
    },
    ids: async (tenant) => (await askOrThrow('CatalogSource/ListProductIds', { tenant }, {})).product_ids,
    revisions: async (tenant, stores) => {
      const { revisions } = await askOrThrow('CatalogSource/ListRevisions', { tenant }, { stores: [...stores] });
      return new Map(revisions.map(({ store_id, revision }) => [store_id, revision]));
    },
    found: async (call, hits, docIds, shown) => {
      const { deadline, requestId, trace } = call;
      const options = { deadline, requestId, trace, rendered: true, reads: true } as const;
      return ask('CatalogSource/FoundProducts', call.tenant, { hits, doc_ids: docIds, ...shown }, options);
    },
  };
};
