// Selects a channel's format: Stoa's own, Google's product data, or the ACP product feed.

import { acpProduct } from '#proto/acp_product.ts';
import type { Product } from '#proto/gen/product.ts';
import type { FeedSeller } from '#proto/product_offer.ts';
import { googleLines } from './google.ts';

export type Format = 'stoa' | 'google' | 'acp';

export const linesOf = (format: Format, seller: FeedSeller, product: Product): readonly object[] => {
  if (format === 'acp') return [acpProduct(seller, product)];
  if (format === 'google') return googleLines(seller, product);
  return [{ ...product, product_id: product.id }];
};

export const deletionLine = (format: Format, id: string): object => {
  if (format === 'acp') return { id, variants: [] };
  return format === 'google' ? { itemGroupId: id, deleted: true } : { id, product_id: id, deleted: true };
};
