// Serves `/dashboard/mail-preview`, the frame in which the dashboard shows a mail. The dashboard posts the mail's HTML to it.
// The frame's content policy allows pictures, and no script or style except the frame's script and what that sets.
import { createHash } from 'node:crypto';
import { commonHeaders } from '#edge/answer.ts';
import type { RequestContext } from '#edge/request_context.ts';

export const MAIL_PREVIEW_PATH = '/dashboard/mail-preview';

/**
 * Shows a mail whose own scripts do not run, because the policy knows only this script, by its hash. Sets the mail's styles
 * through the API of style sheets. Renames them before the mail is parsed, because a browser applies the policy to parsed
 * documents, too; `noframes` is parsed like `style`.
 */
const SCRIPT = `
const renamed = (html) =>
  html
    .replace(/<[^<>]*>/g, (tag) => tag.replace(/([\\s"'])style(?=\\s*=)/gi, '$1data-style'))
    .replace(/<([/]?)style(?=[\\s>])/gi, '<$1noframes');
const show = (html) => {
  const { documentElement: mail } = new DOMParser().parseFromString(renamed(html), 'text/html');
  const sheets = [...mail.querySelectorAll('noframes')].map((element) => {
    const sheet = new CSSStyleSheet({ media: element.getAttribute('media') ?? '' });
    sheet.replaceSync(element.textContent);
    element.remove();
    return sheet;
  });
  document.documentElement.replaceWith(mail);
  document.adoptedStyleSheets = sheets;
  for (const element of mail.querySelectorAll('[data-style]')) element.style.cssText = element.dataset.style;
};
addEventListener('message', ({ source, data }) => {
  if (source === parent && typeof data === 'string') show(data);
});
parent.postMessage('mail-preview', '*');
`;

const POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
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
