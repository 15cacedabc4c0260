// How a store's pages are answered, and what they say where there is nothing to show.
import { sheetNote, sheetResponse } from '#edge/pages/sheet_response.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { Refusal } from '#runtime/call/call.ts';
import type { PageCall } from './caller.ts';
import { shopPolicy } from './sheet.ts';

interface Shown {
  readonly status?: number;
  /** Addresses of its pictures. */
  readonly pictures?: readonly (string | null)[];
  readonly headers?: Readonly<Record<string, string>>;
}

export const shopResponse = (
  { context, shop }: Pick<PageCall, 'context' | 'shop'>,
  document: string,
  { status = 200, pictures, headers = {} }: Shown = {},
) => sheetResponse(context, status, document, shopPolicy(shop, pictures), headers);

/** Back to the same page, anew. `query`: without its question mark. */
export const anew = (context: RequestContext, query = ''): Response => {
  const name = new URL(context.request.url).pathname.split('/').at(-1)!;
  const Location = query === '' ? name : `${name}?${query}`;
  return sheetNote(context, 303, 'One moment', 'You are on your way.', { Location });
};

export const nothingHere = (context: RequestContext): Response =>
  sheetNote(context, 404, 'There is nothing here', 'The address may be incomplete, or what it showed is gone.');

export const refusedPage = (context: RequestContext, { code, extra }: Refusal): Response => {
  if (code === 'not_found') return nothingHere(context);
  if (code === 'payload_too_large' || code === 'unsupported_media_type' || code === 'invalid_request')
    return sheetNote(
      context,
      code === 'payload_too_large' ? 413 : 400,
      'That was not understood',
      'Go back, make it shorter, and try again.',
    );
  if (code === 'rate_limited' || code === 'quota_exceeded')
    return sheetNote(context, 429, 'Too many requests', 'Wait a minute and try again.', {
      'Retry-After': `${extra.retryAfterS ?? 60}`,
    });
  return sheetNote(context, 503, 'Just a moment', 'The page cannot be shown now. Please try again.', {
    'Retry-After': '2',
  });
};

export const wrongVerb = (context: RequestContext, verbs: string): Response =>
  sheetNote(context, 405, 'Not this way', 'Open this page in a browser.', { Allow: verbs });
