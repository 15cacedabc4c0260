// A lookbook: the record, and the document with the current offers at its hotspots.
import type { Offer } from '#proto/gen/catalog_directory.ts';
import type {
  CreateLookbookRequest,
  Hotspot,
  LookbookDetail,
  LookbookImage,
  NewLookbookImage,
  StoreLookbook,
  UpdateLookbookRequest,
} from '#proto/gen/lookbook.ts';
import { Refusal } from '#runtime/call/call.ts';
import { changeTime } from '#services/commerce/record_version.ts';
import { applyPublication, changedValue, type Publication, UNPUBLISHED } from './publication.ts';

export interface HotspotRecord {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly label: string | null;
}

export interface ImageRecord {
  readonly url: string;
  readonly hotspots: readonly HotspotRecord[];
}

export interface LookbookRecord extends Publication<'draft' | 'published'> {
  readonly id: string;
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly featured_image: string | null;
  readonly video: string | null;
  readonly collection_id: string | null;
  readonly images: readonly ImageRecord[];
  readonly created_at: Date;
  readonly updated_at: Date;
}

type NewId = () => string;

/**
 * Builds images. A hotspot retains an id that occurs in `before`; any other id is replaced, because it could belong to
 * another lookbook.
 */
const readImages = (
  images: readonly NewLookbookImage[],
  before: readonly ImageRecord[],
  newId: NewId,
): readonly ImageRecord[] => {
  const left = new Set(before.flatMap(({ hotspots }) => hotspots.map(({ id }) => id)));
  return images.map(({ url, hotspots }) => ({
    url,
    hotspots: (hotspots ?? []).map(({ id, x, y, product_id, variant_id, label }) => {
      const own = id?.toLowerCase();
      return {
        id: own !== undefined && left.delete(own) ? own : newId(),
        x,
        y,
        product_id: product_id.toLowerCase(),
        variant_id: variant_id?.toLowerCase() ?? null,
        label: label ?? null,
      };
    }),
  }));
};

export const newLookbook = (
  input: CreateLookbookRequest,
  id: string,
  slug: string,
  newId: NewId,
  now: Date,
): LookbookRecord | Refusal => {
  const publication = applyPublication<LookbookRecord['status']>(UNPUBLISHED, input, now);
  if (publication instanceof Refusal) return publication;
  return {
    id,
    title: input.title,
    slug,
    description: input.description ?? '',
    featured_image: input.featured_image ?? null,
    video: input.video ?? null,
    collection_id: input.collection_id?.toLowerCase() ?? null,
    images: readImages(input.images ?? [], [], newId),
    ...publication,
    created_at: now,
    updated_at: now,
  };
};

export const changedLookbook = (
  before: LookbookRecord,
  input: Omit<UpdateLookbookRequest, 'id' | 'version'>,
  newId: NewId,
  now: Date,
): LookbookRecord | Refusal => {
  const publication = applyPublication(before, input, now);
  if (publication instanceof Refusal) return publication;
  return {
    ...before,
    title: input.title ?? before.title,
    slug: input.slug ?? before.slug,
    description: input.description ?? before.description,
    featured_image: changedValue(input.featured_image, before.featured_image),
    video: changedValue(input.video, before.video),
    collection_id: changedValue(input.collection_id?.toLowerCase() ?? input.collection_id, before.collection_id),
    images: input.images ? readImages(input.images, before.images, newId) : before.images,
    status: publication.status,
    published_at: publication.published_at,
    first_published_at: publication.first_published_at,
    updated_at: changeTime(before, now),
  };
};

export const referencedIds = ({
  images,
  collection_id,
}: Pick<LookbookRecord, 'images' | 'collection_id'>): Set<string> => {
  const names = new Set(images.flatMap(({ hotspots }) => hotspots.map(({ product_id }) => product_id)));
  if (collection_id !== null) names.add(collection_id);
  return names;
};

const hotspotDocuments = (
  hotspots: readonly HotspotRecord[],
  book: OfferBook,
  includesInactive: boolean,
): Hotspot[] => {
  const documents: Hotspot[] = [];
  for (const { id, x, y, product_id, variant_id, label } of hotspots) {
    const offer = book.offer(product_id, variant_id);
    if (!includesInactive && !offer?.is_active) continue;
    documents.push({
      id,
      x,
      y,
      product_id,
      variant_id,
      label,
      price: offer?.price ?? null,
      currency: book.currency,
      in_stock: offer?.in_stock ?? false,
      product_slug: offer?.product_slug ?? null,
    });
  }
  return documents;
};

/** Renders images. With `includesInactive`, hotspots of inactive and deleted products are shown too. */
const imageDocuments = (images: readonly ImageRecord[], book: OfferBook, includesInactive: boolean): LookbookImage[] =>
  images.map(({ url, hotspots }) => ({ url, hotspots: hotspotDocuments(hotspots, book, includesInactive) }));

const leadingFields = (lookbook: LookbookRecord, book: OfferBook) => ({
  id: lookbook.id,
  title: lookbook.title,
  slug: lookbook.slug,
  description: lookbook.description,
  featured_image: lookbook.featured_image ?? lookbook.images[0]?.url ?? null,
  video: lookbook.video,
  collection_id: book.collection(lookbook.collection_id),
});

const trailingFields = (lookbook: LookbookRecord, book: OfferBook, includesInactive: boolean) => ({
  published_at: lookbook.published_at?.toISOString() ?? null,
  created_at: lookbook.created_at.toISOString(),
  updated_at: lookbook.updated_at.toISOString(),
  images: imageDocuments(lookbook.images, book, includesInactive),
});

export const lookbookDocument = (
  lookbook: LookbookRecord,
  book: OfferBook,
  includesInactive: boolean,
): StoreLookbook => ({
  ...leadingFields(lookbook, book),
  status: lookbook.status,
  ...trailingFields(lookbook, book, includesInactive),
});

export const lookbookDetail = (
  lookbook: LookbookRecord,
  book: OfferBook,
  includesInactive: boolean,
): LookbookDetail => ({
  ...leadingFields(lookbook, book),
  ...trailingFields(lookbook, book, includesInactive),
});

export interface OfferBook {
  readonly revision: number;
  readonly currency: string;
  offer(product: string, variant: string | null): Offer | undefined;
  collection(id: string | null): string | null;
}
