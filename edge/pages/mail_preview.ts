// Serves `/dashboard/mail-preview`, the frame in which the dashboard shows a mail. The dashboard posts the mail's HTML to it.
// The frame's content policy allows styles and pictures, and no script except the frame's.
import { createHash } from 'node:crypto';
import { commonHeaders } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';

export const MAIL_PREVIEW_PATH = '/dashboard/mail-preview';

/** A script of the mail does not run: the policy knows only this one, by its hash. */
const SCRIPT = `
addEventListener('message', ({ source, data }) => {
  if (source === parent && typeof data === 'string') document.documentElement.innerHTML = data;
});
parent.postMessage('mail-preview', '*');
`;

const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data: https: http:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
].join('; ');

const body = new TextEncoder().encode(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Mail</title></head><body><script>${SCRIPT}</script></body></html>
`);

export const mailPreviewPage = (context: RequestContext): Response => {
  const headers = {
    ...commonHeaders(context, 'text/html; charset=utf-8'),
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': POLICY,
    'Referrer-Policy': 'no-referrer',
    'X-Frame-Options': 'SAMEORIGIN',
    'X-Robots-Tag': 'noindex',
  };
  const isHead = context.request.method === 'HEAD';
  if (isHead) Object.assign(headers, { 'Content-Length': `${body.length}` });
  return new Response(isHead ? null : body, { headers });
};
