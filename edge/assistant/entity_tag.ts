// Sets and compares ETags of reads in the protocols.
import { etagOf, matches } from '#edge/gates/etag.ts';
import type { AssistantCall } from './adapter.ts';

const encoder = new TextEncoder();

/** Sets the ETag header. Returns whether the caller already has this representation. */
export const setTag = (
  { context, shop, environment }: Pick<AssistantCall, 'context' | 'shop' | 'environment'>,
  text: string,
  headers: Record<string, string>,
): boolean => {
  headers.ETag = etagOf(`${shop.id} ${environment}`, encoder.encode(text));
  headers['Cache-Control'] = 'private, max-age=0, must-revalidate';
  return matches(context.request.headers.get('if-none-match'), headers.ETag);
};

export const isRead = ({ context }: Pick<AssistantCall, 'context'>): boolean =>
  context.request.method === 'GET' || context.request.method === 'HEAD';
