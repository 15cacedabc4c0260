// Builds ACP's product feed page by page.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { setTag } from '#edge/assistant/entity_tag.ts';
import { acpProduct } from '#proto/acp_product.ts';
import { Refusal } from '#runtime/call/call.ts';
import { errorResponse, headersOf } from './fault.ts';

const AT_ONCE = 50;
/** Largest catalogue that is served as a feed; larger ones use a sales channel. */
const PRODUCTS_MAX = 100_000;

export const feedResponse = async (call: AssistantCall): Promise<Response> => {
  const { context, core, shop } = call;
  const products: string[] = [];
  for (let cursor: string | null = null; products.length < PRODUCTS_MAX; ) {
    const page = await core.find({ limit: AT_ONCE, ...(cursor !== null && { cursor }) });
    if (page instanceof Refusal) return errorResponse(context, page);
    for (const product of page.products) products.push(JSON.stringify(acpProduct(shop, product)));
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  const text = `{"products":[${products.join(',')}]}`;
  const headers = headersOf(context);
  if (setTag(call, text, headers)) return new Response(null, { status: 304, headers });
  return new Response(context.request.method === 'HEAD' ? null : text, { headers });
};
