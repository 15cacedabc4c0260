// A lookbook: what it is made of, and how it is shown with what its hotspots lead to.
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
import { type Publication, stand, UNBORN } from './publication.ts';

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

/** Gives a hotspot its name. */
type NewId = () => string;

/** Hotspots keep the ids that they have `before`; what else was sent as an id could be another's. */
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
  wish: CreateLookbookRequest,
  id: string,
  slug: string,
  newId: NewId,
  now: Date,
): LookbookRecord | Refusal => {
  const standing = stand<LookbookRecord['status']>(UNBORN, wish, now);
  if (standing instanceof Refusal) return standing;
  return {
    id,
    title: wish.title,
    slug,
    description: wish.description ?? '',
    featured_image: wish.featured_image ?? null,
    video: wish.video ?? null,
    collection_id: wish.collection_id?.toLowerCase() ?? null,
    images: readImages(wish.images ?? [], [], newId),
    ...standing,
    created_at: now,
    updated_at: now,
  };
};

/** What may be null is emptied by null; of the rest null changes nothing. */
const emptied = <T>(wish: T | null | undefined, before: T | null): T | null => (wish === undefined ? before : wish);

export const changedLookbook = (
  before: LookbookRecord,
  wish: Omit<UpdateLookbookRequest, 'id'>,
  newId: NewId,
  now: Date,
): LookbookRecord | Refusal => {
  const standing = stand(before, wish, now);
  if (standing instanceof Refusal) return standing;
  return {
    ...before,
    title: wish.title ?? before.title,
    slug: wish.slug ?? before.slug,
    description: wish.description ?? before.description,
    featured_image: emptied(wish.featured_image, before.featured_image),
    video: emptied(wish.video, before.video),
    collection_id: emptied(wish.collection_id?.toLowerCase() ?? wish.collection_id, before.collection_id),
    images: wish.images ? readImages(wish.images, before.images, newId) : before.images,
    status: standing.status,
    published_at: standing.published_at,
    told_at: standing.told_at,
    updated_at: now,
  };
};

/** Everything of the catalogue that it shows, or whose coming and going it would. */
export const namesOf = ({ images, collection_id }: Pick<LookbookRecord, 'images' | 'collection_id'>): Set<string> => {
  const names = new Set(images.flatMap(({ hotspots }) => hotspots.map(({ product_id }) => product_id)));
  if (collection_id !== null) names.add(collection_id);
  return names;
};

const shownHotspots = (hotspots: readonly HotspotRecord[], book: OfferBook, everything: boolean): Hotspot[] => {
  const shown: Hotspot[] = [];
  for (const { id, x, y, product_id, variant_id, label } of hotspots) {
    const offer = book.offer(product_id, variant_id);
    if (!everything && !offer?.is_active) continue;
    shown.push({
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
  return shown;
};

/** `everything`: hotspots of what is inactive or gone, too. */
const shownImages = (images: readonly ImageRecord[], book: OfferBook, everything: boolean): LookbookImage[] =>
  images.map(({ url, hotspots }) => ({ url, hotspots: shownHotspots(hotspots, book, everything) }));

const shownBeginning = (lookbook: LookbookRecord, book: OfferBook) => ({
  id: lookbook.id,
  title: lookbook.title,
  slug: lookbook.slug,
  description: lookbook.description,
  featured_image: lookbook.featured_image ?? lookbook.images[0]?.url ?? null,
  video: lookbook.video,
  collection_id: book.collection(lookbook.collection_id),
});

const shownEnd = (lookbook: LookbookRecord, book: OfferBook, everything: boolean) => ({
  published_at: lookbook.published_at?.toISOString() ?? null,
  created_at: lookbook.created_at.toISOString(),
  updated_at: lookbook.updated_at.toISOString(),
  images: shownImages(lookbook.images, book, everything),
});

export const shownLookbook = (lookbook: LookbookRecord, book: OfferBook, everything: boolean): StoreLookbook => ({
  ...shownBeginning(lookbook, book),
  status: lookbook.status,
  ...shownEnd(lookbook, book, everything),
});

/** Specification, "Lookbook": `status` is "returned by the list, omitted by the single-lookbook response". */
export const lookbookDetail = (lookbook: LookbookRecord, book: OfferBook, everything: boolean): LookbookDetail => ({
  ...shownBeginning(lookbook, book),
  ...shownEnd(lookbook, book, everything),
});

export interface OfferBook {
  /** The catalogue's, as of which all this is. */
  readonly revision: number;
  readonly currency: string;
  /** Of a product, or of one of its variants; undefined where it is gone. */
  offer(product: string, variant: string | null): Offer | undefined;
  /** The id itself; null where there is no such collection any more. */
  collection(id: string | null): string | null;
}
