// Answers to reads of the protocols, which carry a tag: a caller that has an answer already is told that it still stands.
import { etagOf, matches } from '#edge/gates/etag.ts';
import type { AssistantCall } from './adapter.ts';

const encoder = new TextEncoder();

/** Adds the tag to the headers; true: the caller has this answer. */
export const isHeld = (
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
