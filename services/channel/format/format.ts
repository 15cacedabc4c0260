// The formats of a channel: ours, Google's product data, the product feed of ACP.
import type { Product } from '#proto/gen/product.ts';
import { acpLine } from './acp.ts';
import { googleLines } from './google.ts';
import type { ChannelStore } from './line.ts';

export type Format = 'stoa' | 'google' | 'acp';

export const linesOf = (format: Format, shop: ChannelStore, product: Product): readonly object[] => {
  if (format === 'acp') return [acpLine(shop, product)];
  if (format === 'google') return googleLines(shop, product);
  return [{ ...product, product_id: product.id }];
};

/** A product that the channel was told of and that can no longer be bought. */
export const goneLine = (format: Format, id: string): object => {
  if (format === 'acp') return { id, variants: [] };
  return format === 'google' ? { itemGroupId: id, deleted: true } : { id, product_id: id, deleted: true };
};
