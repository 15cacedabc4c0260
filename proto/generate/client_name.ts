// Derives an endpoint's name in the client: `POST /v1/cart/items`, called `addCartItem`, is `cart.items.add`.
import type { EndpointShape } from './contract.ts';

export interface ClientName {
  /** The names to go through. */
  readonly resource: readonly string[];
  readonly method: string;
}

interface Segment {
  readonly text: string;
  /** Whether it stands behind a parameter: `/{id}/pay`. */
  readonly ofOne: boolean;
}

/**
 * The path's fixed words name the resource, the operation's verb the method. A last word that is an action is the method
 * itself: `/v1/cart/merge` is `cart.merge`, `/v1/reviews/{id}/helpful` is `reviews.voteHelpful`, `/v1/inventory/adjustments`
 * is `inventory.adjust`.
 */
export const placeOf = ({ path, operation }: Pick<EndpointShape, 'path' | 'operation'>): ClientName => {
  const segments = segmentsOf(path);
  const last = segments.at(-1);
  if (!last) return { resource: [], method: operation };
  const verb = operation.match(/^[a-z]+/)![0];
  const above = segments.slice(0, -1).map(({ text }) => camel(text));
  if (last.text.startsWith('by-')) return { resource: above, method: `${verb}${capital(camel(last.text))}` };
  if (!path.endsWith('}')) {
    const doing = last.text.split('-').includes(verb) || operation.toLowerCase().startsWith(last.text.replace('-', ''));
    if (doing) return { resource: above, method: camel(last.text) };
    if (verb.length > 3 && last.text.startsWith(verb)) return { resource: above, method: verb };
    if (last.ofOne && !last.text.endsWith('s'))
      return { resource: above, method: `${verb}${capital(camel(last.text))}` };
  }
  return { resource: [...above, camel(last.text)], method: verb };
};

const segmentsOf = (path: string): Segment[] => {
  const parts = path.split('/').filter((part) => part !== '' && part !== 'v1');
  return parts.flatMap((text, at) =>
    text.startsWith('{') ? [] : [{ text, ofOne: parts[at - 1]?.startsWith('{') ?? false }],
  );
};

/** `gift-cards` → `giftCards`, `llms.txt` → `llmsTxt`. */
const camel = (text: string): string => text.replace(/[-._]([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1);
