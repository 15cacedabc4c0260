// How small pages that ask for a decision are answered: kept nowhere, framed by nothing, allowed nothing but their style.
import { commonHeaders } from '#edge/answer.ts';
import type { Visit } from '#edge/visit.ts';
import { contentPolicy, noteDocument } from './sheet.ts';

export const sheetResponse = (
  visit: Visit,
  status: number,
  html: string,
  policy: string,
  more: Readonly<Record<string, string>> = {},
): Response => {
  const body = new TextEncoder().encode(html);
  const headers = {
    ...commonHeaders(visit, 'text/html; charset=utf-8'),
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'DENY',
    'X-Robots-Tag': 'noindex',
    ...more,
  };
  const isHead = visit.request.method === 'HEAD';
  if (isHead) Object.assign(headers, { 'Content-Length': `${body.length}` });
  return new Response(isHead ? null : body, { status, headers });
};

export const sheetNote = (visit: Visit, status: number, title: string, text: string, more = {}): Response =>
  sheetResponse(visit, status, noteDocument(title, text), contentPolicy([]), more);
