// products.json: every active product as its detail, newest first, and under `acp` the feed of the Agentic Commerce
// Protocol.
import { acpProduct } from '#proto/acp_product.ts';
import type { Product } from '#proto/gen/product.ts';
import { detailAnswer } from '#services/catalog/memory/answer.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import { type FeedStore, PRODUCTS_AT_ONCE, turn } from './shop.ts';

const COMMA = Buffer.from(',');

export const renderProductFeed = async (shop: FeedStore, catalogue: Catalogue, updatedAt: Date): Promise<Buffer> => {
  const { id, code, name, website_url, currency } = shop;
  const head = JSON.stringify({
    store: { id, code, name, website_url },
    currency,
    updated_at: updatedAt.toISOString(),
    products: [],
  });
  const parts: Buffer[] = [Buffer.from(head.slice(0, -2))];
  const acp: string[] = [];
  for (const [at, entry] of catalogue.sorted('newest').entries()) {
    if (at > 0 && at % PRODUCTS_AT_ONCE === 0) await turn();
    if (!entry.active || entry.gone) continue;
    if (parts.length > 1) parts.push(COMMA);
    const detail = detailAnswer(entry, catalogue);
    parts.push(detail);
    acp.push(JSON.stringify(acpProduct(shop, JSON.parse(detail.toString()) as Product)));
  }
  parts.push(Buffer.from(`],"acp":{"products":[${acp.join(',')}]}}`));
  return Buffer.concat(parts);
};
