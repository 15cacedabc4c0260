// The formats of a channel: ours, Google's product data, the product feed of ACP.

import { acpProduct } from '#proto/acp_product.ts';
import type { Product } from '#proto/gen/product.ts';
import type { FeedSeller } from '#proto/product_offer.ts';
import { googleLines } from './google.ts';

export type Format = 'stoa' | 'google' | 'acp';

export const linesOf = (format: Format, shop: FeedSeller, product: Product): readonly object[] => {
  if (format === 'acp') return [acpProduct(shop, product)];
  if (format === 'google') return googleLines(shop, product);
  return [{ ...product, product_id: product.id }];
};

/** A product that the channel was told of and that can no longer be bought. */
export const goneLine = (format: Format, id: string): object => {
  if (format === 'acp') return { id, variants: [] };
  return format === 'google' ? { itemGroupId: id, deleted: true } : { id, product_id: id, deleted: true };
};
