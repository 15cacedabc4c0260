// Looks up the catalogue's current offers for lookbooks.
import { type Call, notFound, type Refusal } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { ImageRecord, LookbookRecord, OfferBook } from './lookbook.ts';

export type OfferReferences = Pick<LookbookRecord, 'images' | 'collection_id'>;

export type LookUpOffers = (call: Call, lookbooks: readonly OfferReferences[]) => Promise<OfferBook>;

const keyOf = (product: string, variant: string | null): string =>
  variant === null ? product : `${product}/${variant}`;

export const openOfferBooks = (runtime: Pick<Runtime, 'ask'>): LookUpOffers => {
  const { askOrThrow } = openDomainClient(runtime);
  return async (call, lookbooks) => {
    const offered = new Map<string, { readonly product_id: string; readonly variant_id: string | null }>();
    // Requests each product without variant, too, to distinguish a missing variant from a missing product.
    for (const { images } of lookbooks)
      for (const { hotspots } of images)
        for (const { product_id, variant_id } of hotspots)
          for (const variant of new Set([variant_id, null]))
            offered.set(keyOf(product_id, variant), { product_id, variant_id: variant });
    const collections = new Set(lookbooks.flatMap(({ collection_id }) => collection_id ?? []));
    const { revision, currency, offers, collection_ids } = await askOrThrow('CatalogDirectory/OffersByIds', call, {
      offered: [...offered.values()],
      collection_ids: [...collections],
    });
    const byKey = new Map(offers.map((offer) => [keyOf(offer.product_id, offer.variant_id), offer]));
    const known = new Set(collection_ids);
    return {
      revision,
      currency,
      offer: (product, variant) => byKey.get(keyOf(product, variant)),
      collection: (id) => (id !== null && known.has(id) ? id : null),
    };
  };
};

interface References {
  readonly images: readonly ImageRecord[];
  readonly collection_id: string | null;
}

const referenceKey = ({
  product_id,
  variant_id,
}: {
  readonly product_id: string;
  readonly variant_id: string | null;
}) => `${product_id} ${variant_id}`;

export const refuseMissing = (
  book: OfferBook,
  { images, collection_id: collection }: References,
  before: References | null,
): Refusal | null => {
  if (collection !== null && collection !== before?.collection_id && book.collection(collection) === null)
    return notFound('collection', 'collection_id');
  const named = new Set(before?.images.flatMap(({ hotspots }) => hotspots.map(referenceKey)));
  for (const [i, { hotspots }] of images.entries())
    for (const [j, hotspot] of hotspots.entries()) {
      const { product_id, variant_id } = hotspot;
      const at = `images[${i}].hotspots[${j}]`;
      if (named.has(referenceKey(hotspot)) || book.offer(product_id, variant_id)) continue;
      return variant_id === null || !book.offer(product_id, null)
        ? notFound('product', `${at}.product_id`)
        : notFound('variant', `${at}.variant_id`);
    }
  return null;
};
