// Sends small pages on which a person decides something. Forbids caching, framing, and reading by scripts of other
// sites.
import { commonHeaders } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { messageDocument, smallPagePolicy } from './small_page_document.ts';

export const smallPage = (
  context: RequestContext,
  status: number,
  html: string,
  policy: string,
  more: Readonly<Record<string, string>> = {},
): Response => {
  const body = new TextEncoder().encode(html);
  // Omits the CORS headers of the API, which let scripts of other sites read responses.
  const {
    'Access-Control-Allow-Origin': _origin,
    'Access-Control-Expose-Headers': _names,
    ...common
  } = commonHeaders(context, 'text/html; charset=utf-8');
  const headers = {
    ...common,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
    ...more,
  };
  const isHead = context.request.method === 'HEAD';
  if (isHead) Object.assign(headers, { 'Content-Length': `${body.length}` });
  return new Response(isHead ? null : body, { status, headers });
};

export const messagePage = (
  context: RequestContext,
  status: number,
  title: string,
  text: string,
  more = {},
): Response => smallPage(context, status, messageDocument(title, text), smallPagePolicy([]), more);
