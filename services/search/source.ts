// What search knows of products: the catalogue's word, page by page.
import type { Product } from '#proto/gen/catalog.ts';
import type { ChangedProductsResponse, Hit } from '#proto/gen/search.ts';
import type { Call, Refusal, Rendered, Tenant } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { openInquiry } from '#runtime/inquiry.ts';

/** Read and indexed in some milliseconds, so that other calls are answered in between. */
const PAGE_PRODUCTS = 40;

export interface Edition {
  readonly instance: string;
  readonly since: number;
}

export interface ProductPage extends Omit<ChangedProductsResponse, 'products'> {
  readonly products: readonly Product[];
}

export interface Source {
  changed(tenant: Tenant, edition: Edition, revisionMin: number): Promise<ProductPage>;
  ids(tenant: Tenant): Promise<readonly string[]>;
  /** In list shape, each with its score; `slots` is what their index calls them. */
  found(call: Call, hits: readonly Hit[], slots: readonly number[]): Promise<Rendered | Refusal>;
}

export const openSource = ({ ask }: Pick<Foundation, 'ask'>): Source => {
  const { must } = openInquiry({ ask });
  return {
    changed: (tenant, edition, revisionMin) =>
      must('CatalogSource/ChangedProducts', { tenant, revisionMin }, { ...edition, limit: PAGE_PRODUCTS }),
    ids: async (tenant) => (await must('CatalogSource/ListProductIds', { tenant }, {})).product_ids,
    found: async (call, hits, slots) => {
      const { deadline, requestId, trace } = call;
      const options = { deadline, requestId, trace, rendered: true, reads: true } as const;
      return ask('CatalogSource/FoundProducts', call.tenant, { hits, slots }, options);
    },
  };
};
