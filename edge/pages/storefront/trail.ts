// The categories above a product, from the widest to the narrowest. Pure.
import type { Product } from '#proto/gen/client/message.ts';
import type { ShopFrame } from './client.ts';

export interface TrailStep {
  readonly name: string;
  /** Path within the shop. */
  readonly path: string;
}

type Categorised = Pick<Product, 'category_id' | 'subcategory_id'>;

export const trailOf = ({ categories }: Pick<ShopFrame, 'categories'>, product: Categorised): readonly TrailStep[] => {
  const category = categories.find(({ id }) => id === product.category_id);
  const subcategory = category?.subcategories.find(({ id }) => id === product.subcategory_id);
  return [category, subcategory].flatMap((each) =>
    each ? [{ name: each.name, path: `/categories/${each.slug}` }] : [],
  );
};
