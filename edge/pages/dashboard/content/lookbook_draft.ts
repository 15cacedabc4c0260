// The draft of a lookbook that its editor changes, and the request that saves it. Pure.
import { type TextTable, textsOf, translationsOf } from '#edge/pages/dashboard/translation_draft.ts';
import type { CreateLookbookRequest, StoreLookbook } from '#proto/client/dashboard.ts';

export interface DraftHotspot {
  /** The saved hotspot's id, or a new one's name in this draft. */
  readonly key: string;
  readonly id: string | null;
  readonly x: number;
  readonly y: number;
  /** Empty until one is chosen. */
  readonly product_id: string;
  readonly variant_id: string | null;
  readonly label: string;
  readonly translations: TextTable;
}

export interface DraftImage {
  readonly url: string;
  readonly hotspots: readonly DraftHotspot[];
}

export interface LookbookDraft {
  readonly title: string;
  readonly slug: string;
  readonly description: string;
  readonly featured_image: string;
  readonly images: readonly DraftImage[];
  readonly translations: TextTable;
  /** The `updated_at` of the lookbook that the draft began from; empty for a new one. */
  readonly version: string;
}

export const EMPTY_LOOKBOOK: LookbookDraft = {
  title: '',
  slug: '',
  description: '',
  featured_image: '',
  images: [],
  translations: {},
  version: '',
};

export const draftOf = ({
  title,
  slug,
  description,
  featured_image,
  images,
  translations,
  updated_at,
}: StoreLookbook): LookbookDraft => ({
  version: updated_at,
  translations: textsOf(translations, ['title', 'description']),
  title,
  slug,
  description,
  // The API answers the first picture where none was chosen.
  featured_image: featured_image === images[0]?.url ? '' : (featured_image ?? ''),
  images: images.map(({ url, hotspots }) => ({
    url,
    hotspots: hotspots.map(({ id, x, y, product_id, variant_id, label, translations: labels }) => ({
      key: id,
      id,
      x,
      y,
      product_id,
      variant_id,
      label: label ?? '',
      translations: textsOf(labels, ['label']),
    })),
  })),
});

export const requestOf = ({
  title,
  slug,
  description,
  featured_image,
  images,
  translations,
}: LookbookDraft): CreateLookbookRequest => ({
  title,
  translations: translationsOf({ translations }),
  description,
  ...(slug.trim() === '' ? {} : { slug: slug.trim() }),
  featured_image: featured_image || null,
  images: images.map(({ url, hotspots }) => ({
    url,
    hotspots: hotspots.map(({ id, x, y, product_id, variant_id, label, translations: labels }) => ({
      ...(id === null ? {} : { id }),
      x,
      y,
      product_id,
      variant_id,
      label: label.trim() || null,
      translations: translationsOf({ translations: labels }),
    })),
  })),
});

/** A share of a picture's side, kept inside it, to a thousandth. */
export const shareOf = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1_000) / 1_000;

const STEP = 0.01;

const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-STEP, 0],
  ArrowRight: [STEP, 0],
  ArrowUp: [0, -STEP],
  ArrowDown: [0, STEP],
};

/** The place to which an arrow key moves a hotspot; null for other keys. */
export const movedBy = (key: string, { x, y }: Pick<DraftHotspot, 'x' | 'y'>): Pick<DraftHotspot, 'x' | 'y'> | null => {
  const step = STEPS[key];
  return step ? { x: shareOf(x + step[0]), y: shareOf(y + step[1]) } : null;
};
