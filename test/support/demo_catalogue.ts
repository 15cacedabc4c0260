// Reads the demo shop's products in the form that the search engine takes, without a running system.
import type { Product } from '#proto/gen/product.ts';
import { productRequest } from '#services/cli/demo/request.ts';
import { RETAIL_SHOP } from '#services/cli/demo/retail.ts';
import type { SearchDocument } from '#services/search/engine/document.ts';
import { documentOf } from '#services/search/product_document.ts';

const idOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;

/** In the order in which they are put into the shop. */
export const demoDocuments = (): SearchDocument[] => {
  const categoryOf = new Map(
    RETAIL_SHOP.categories.flatMap(({ name, subcategories }) =>
      subcategories.map((below) => [below.name, name] as const),
    ),
  );
  return RETAIL_SHOP.products.map((product, at) => {
    const { variants, ...request } = productRequest(product, RETAIL_SHOP, new Map(), 'https://pictures.example');
    return documentOf({
      ...request,
      id: idOf(at),
      category_id: idOf(1_000),
      category_name: categoryOf.get(product.subcategory)!,
      subcategory_id: idOf(1_001),
      subcategory_name: product.subcategory,
      is_active: true,
      average_rating: null,
      review_count: 0,
      created_at: new Date(at * 1_000).toISOString(),
      ...(variants && { variants }),
    } as unknown as Product);
  });
};
