// Serves `/s/<code>/llms.txt`, the store's public summary for language models.
import { commonHeaders } from '#edge/answer.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { PageCall } from './page_call.ts';
import { refusalPage } from './response.ts';

export const summaryPage = async ({ context, core }: PageCall): Promise<Response> => {
  const text = await core.summary();
  if (text instanceof Refusal) return refusalPage(context, text);
  const headers = { ...commonHeaders(context, 'text/markdown; charset=utf-8'), 'Cache-Control': 'public, max-age=60' };
  return new Response(context.request.method === 'HEAD' ? null : text, { headers });
};
