// A lookbook: the record, and the document with the current offers at its hotspots.
import type { Offer } from '#proto/gen/catalog_directory.ts';
import type {
  CreateLookbookRequest,
  Hotspot,
  HotspotTranslation,
  LookbookDetail,
  LookbookImage,
  LookbookTranslation,
  NewLookbookImage,
  StoreLookbook,
  UpdateLookbookRequest,
} from '#proto/gen/lookbook.ts';
import { Refusal } from '#runtime/call/call.ts';
import { changeTime } from '#services/commerce/record_version.ts';
import { mergeTranslations } from '#services/commerce/translation.ts';
import { type AnswerLanguage, inLanguage, type Translations } from '#values/translation.ts';
import { applyPublication, changedValue, type Publication, UNPUBLISHED } from './publication.ts';

export interface HotspotRecord {
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly label: string | null;
  /** Absent in a hotspot without translations. */
  readonly translations?: Translations<HotspotTranslation>;
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
  readonly translations: Translations<LookbookTranslation> | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

type NewId = () => string;

/** Reads of a request need new ids, the time, and the store's languages, its default one first. */
export interface LookbookContext {
  readonly newId: NewId;
  readonly languages: readonly string[];
  readonly now: Date;
}

/**
 * Builds images. A hotspot retains an id that occurs in `before`, and its translations; any other id is replaced, because
 * it could belong to another lookbook.
 */
const readImages = (
  images: readonly NewLookbookImage[],
  before: readonly ImageRecord[],
  { newId, languages }: LookbookContext,
): readonly ImageRecord[] | Refusal => {
  const left = new Map(before.flatMap(({ hotspots }) => hotspots.map((hotspot) => [hotspot.id, hotspot])));
  const read: ImageRecord[] = [];
  for (const [i, { url, hotspots }] of images.entries()) {
    const records: HotspotRecord[] = [];
    for (const [j, { id, x, y, product_id, variant_id, label, translations: given }] of (hotspots ?? []).entries()) {
      const own = id == null ? undefined : left.get(id.toLowerCase());
      if (own) left.delete(own.id);
      const path = `images[${i}].hotspots[${j}].translations`;
      const translations = mergeTranslations<HotspotTranslation>(own?.translations ?? null, given, languages, path);
      if (translations instanceof Refusal) return translations;
      records.push({
        id: own?.id ?? newId(),
        x,
        y,
        product_id: product_id.toLowerCase(),
        variant_id: variant_id?.toLowerCase() ?? null,
        label: label ?? null,
        ...(translations && { translations }),
      });
    }
    read.push({ url, hotspots: records });
  }
  return read;
};

export const newLookbook = (
  input: CreateLookbookRequest,
  id: string,
  slug: string,
  context: LookbookContext,
): LookbookRecord | Refusal => {
  const { languages, now } = context;
  const publication = applyPublication<LookbookRecord['status']>(UNPUBLISHED, input, now);
  if (publication instanceof Refusal) return publication;
  const translations = mergeTranslations<LookbookTranslation>(null, input.translations, languages);
  if (translations instanceof Refusal) return translations;
  const images = readImages(input.images ?? [], [], context);
  if (images instanceof Refusal) return images;
  return {
    id,
    title: input.title,
    slug,
    description: input.description ?? '',
    featured_image: input.featured_image ?? null,
    video: input.video ?? null,
    collection_id: input.collection_id?.toLowerCase() ?? null,
    images,
    translations,
    ...publication,
    created_at: now,
    updated_at: now,
  };
};

export const changedLookbook = (
  before: LookbookRecord,
  input: Omit<UpdateLookbookRequest, 'id' | 'version'>,
  context: LookbookContext,
): LookbookRecord | Refusal => {
  const { languages, now } = context;
  const publication = applyPublication(before, input, now);
  if (publication instanceof Refusal) return publication;
  const translations = mergeTranslations<LookbookTranslation>(before.translations, input.translations, languages);
  if (translations instanceof Refusal) return translations;
  const images = input.images ? readImages(input.images, before.images, context) : before.images;
  if (images instanceof Refusal) return images;
  return {
    ...before,
    title: input.title ?? before.title,
    slug: input.slug ?? before.slug,
    description: input.description ?? before.description,
    featured_image: changedValue(input.featured_image, before.featured_image),
    video: changedValue(input.video, before.video),
    collection_id: changedValue(input.collection_id?.toLowerCase() ?? input.collection_id, before.collection_id),
    images,
    translations,
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

/** Chooses what a document shows. */
export interface LookbookView {
  readonly book: OfferBook;
  /** Whether hotspots of inactive and deleted products are shown too. */
  readonly includesInactive: boolean;
  /** Without a language the document has the default texts alone. */
  readonly language?: AnswerLanguage;
}

const hotspotDocuments = (
  hotspots: readonly HotspotRecord[],
  { book, includesInactive, language }: LookbookView,
): Hotspot[] => {
  const documents: Hotspot[] = [];
  for (const { id, x, y, product_id, variant_id, label, translations = null } of hotspots) {
    const offer = book.offer(product_id, variant_id);
    if (!includesInactive && !offer?.is_active) continue;
    const document: Hotspot = {
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
    };
    documents.push(inLanguage(document, translations, language));
  }
  return documents;
};

const imageDocuments = (images: readonly ImageRecord[], view: LookbookView): LookbookImage[] =>
  images.map(({ url, hotspots }) => ({ url, hotspots: hotspotDocuments(hotspots, view) }));

const leadingFields = (lookbook: LookbookRecord, book: OfferBook) => ({
  id: lookbook.id,
  title: lookbook.title,
  slug: lookbook.slug,
  description: lookbook.description,
  featured_image: lookbook.featured_image ?? lookbook.images[0]?.url ?? null,
  video: lookbook.video,
  collection_id: book.collection(lookbook.collection_id),
});

const trailingFields = (lookbook: LookbookRecord, view: LookbookView) => ({
  published_at: lookbook.published_at?.toISOString() ?? null,
  created_at: lookbook.created_at.toISOString(),
  updated_at: lookbook.updated_at.toISOString(),
  images: imageDocuments(lookbook.images, view),
});

export const lookbookDocument = (lookbook: LookbookRecord, view: LookbookView): StoreLookbook => {
  const document: StoreLookbook = {
    ...leadingFields(lookbook, view.book),
    status: lookbook.status,
    ...trailingFields(lookbook, view),
  };
  return inLanguage(document, lookbook.translations, view.language);
};

export const lookbookDetail = (lookbook: LookbookRecord, view: LookbookView): LookbookDetail => {
  const document: LookbookDetail = { ...leadingFields(lookbook, view.book), ...trailingFields(lookbook, view) };
  return inLanguage(document, lookbook.translations, view.language);
};

export interface OfferBook {
  readonly revision: number;
  readonly currency: string;
  offer(product: string, variant: string | null): Offer | undefined;
  collection(id: string | null): string | null;
}
