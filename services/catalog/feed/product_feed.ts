// products.json: the details of every active product, newest first, and under `acp` the same products in the format of
// the Agentic Commerce Protocol.

import { acpProduct } from '#proto/acp_product.ts';
import type { Product } from '#proto/gen/product.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import { translatedDetail } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { type FeedStore, PRODUCTS_PER_YIELD } from './feed_store.ts';

const COMMA = Buffer.from(',');

export const renderProductFeed = async (store: FeedStore, catalogue: Catalogue, updatedAt: Date): Promise<Buffer> => {
  const { id, code, name, website_url, currency } = store;
  const head = JSON.stringify({
    store: { id, code, name, website_url },
    currency,
    updated_at: updatedAt.toISOString(),
    products: [],
  });
  const parts: Buffer[] = [Buffer.from(head.slice(0, -2))];
  const acp: string[] = [];
  for (const [at, entry] of catalogue.sorted('newest').entries()) {
    if (at > 0 && at % PRODUCTS_PER_YIELD === 0) await yieldToEventLoop();
    if (!entry.active || entry.deleted) continue;
    if (parts.length > 1) parts.push(COMMA);
    const detail = translatedDetail(entry, catalogue, store.language);
    parts.push(detail);
    acp.push(JSON.stringify(acpProduct(store, JSON.parse(detail.toString()) as Product)));
  }
  parts.push(Buffer.from(`],"acp":{"products":[${acp.join(',')}]}}`));
  return Buffer.concat(parts);
};
