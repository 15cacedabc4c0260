// Builds the responses of a store's pages, and their error pages.
import { messagePage, smallPage } from '#edge/pages/small_page.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { Refusal } from '#runtime/call/call.ts';
import type { PageCall } from './page_call.ts';
import { shopPolicy } from './page_document.ts';

interface ResponseOptions {
  readonly status?: number;
  readonly pictures?: readonly (string | null)[];
  readonly headers?: Readonly<Record<string, string>>;
}

export const shopResponse = (
  { context, shop }: Pick<PageCall, 'context' | 'shop'>,
  document: string,
  { status = 200, pictures, headers = {} }: ResponseOptions = {},
) => smallPage(context, status, document, shopPolicy(shop, pictures), headers);

export const redirectToSelf = (context: RequestContext, query = ''): Response => {
  const name = new URL(context.request.url).pathname.split('/').at(-1)!;
  const Location = query === '' ? name : `${name}?${query}`;
  return messagePage(context, 303, 'One moment', 'You are being redirected.', { Location });
};

export const notFoundResponse = (context: RequestContext): Response =>
  messagePage(context, 404, 'Page not found', 'The address may be incomplete, or the page was removed.');

export const refusalPage = (context: RequestContext, { code, extra }: Refusal): Response => {
  if (code === 'not_found') return notFoundResponse(context);
  if (code === 'payload_too_large' || code === 'unsupported_media_type' || code === 'invalid_request')
    return messagePage(
      context,
      code === 'payload_too_large' ? 413 : 400,
      'The form could not be read',
      'Go back, shorten your entries, and try again.',
    );
  if (code === 'rate_limited' || code === 'quota_exceeded')
    return messagePage(context, 429, 'Too many requests', 'Wait a minute and try again.', {
      'Retry-After': `${extra.retryAfterS ?? 60}`,
    });
  return messagePage(context, 503, 'Just a moment', 'The page cannot be shown now. Please try again.', {
    'Retry-After': '2',
  });
};

export const methodNotAllowedPage = (context: RequestContext, verbs: string): Response =>
  messagePage(context, 405, 'Method not allowed', 'Open this page in a browser.', { Allow: verbs });
