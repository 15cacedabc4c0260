// The sandbox's outbox: `/sandbox/outbox`, where a developer reads what would have been mailed and follows its links. The
// page itself knows nothing: it asks the API with the secret test key that is typed into it.
import { commonHeaders } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { OUTBOX_DOCUMENT, OUTBOX_POLICY } from './outbox_document.ts';

export const OUTBOX_PATH = '/sandbox/outbox';

const body = new TextEncoder().encode(OUTBOX_DOCUMENT);

export const outboxPage = (context: RequestContext): Response => {
  const headers = {
    ...commonHeaders(context, 'text/html; charset=utf-8'),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': OUTBOX_POLICY,
    // The address may hold the token of a link.
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
  };
  const isHead = context.request.method === 'HEAD';
  if (isHead) Object.assign(headers, { 'Content-Length': `${body.length}` });
  return new Response(isHead ? null : body, { headers });
};
