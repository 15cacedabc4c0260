// Products of the catalogue as UCP products. What merchants wrote stands in fields of data alone.

import type { CatalogFilters } from '#edge/assistant/ucp/input/schema.ts';
import type { ProductMatch } from '#proto/gen/assistant.ts';
import type { Product as Shown } from '#proto/gen/product.ts';
import type { MediaItem } from '#proto/gen/shared.ts';
import { minorOf, present } from '#services/commerce/ucp_basket.ts';
import { toldGtin } from '#values/gtin.ts';
import { describedText } from '#values/html.ts';
import type { Product, Variant } from './schema.ts';

type ShownVariant = NonNullable<Shown['variants']>[number];
type Selected = NonNullable<Variant['options']>;

/** A variant as all of a product's are read: a simple product is its own. */
interface Sold {
  readonly id: string;
  readonly sku: string | null;
  readonly gtin: string | null;
  readonly name: string | null;
  readonly options: Selected;
  readonly price: number | null;
  readonly selling: number | null;
  readonly stock: number;
  readonly isDefault: boolean;
  readonly media: readonly MediaItem[];
}

const optionsOf = (attributes: ShownVariant['variant_attributes']): Selected =>
  Object.entries(attributes ?? {}).map(([name, value]) => ({ name, label: String(value) }));

const soldOf = (product: Shown): Sold[] => {
  if (product.variants)
    return product.variants.map((variant) => ({
      id: variant.variant_id,
      sku: variant.sku,
      gtin: toldGtin(variant.gtin),
      name: variant.variant_name,
      options: optionsOf(variant.variant_attributes),
      price: variant.price,
      selling: variant.selling_price,
      stock: variant.stock,
      isDefault: variant.is_default,
      media: variant.media,
    }));
  return [
    {
      id: product.variant_id ?? product.id,
      sku: product.sku ?? null,
      gtin: toldGtin(product.gtin ?? null),
      name: null,
      options: [],
      price: product.price ?? null,
      selling: product.selling_price ?? null,
      stock: product.stock ?? 0,
      isDefault: true,
      media: [],
    },
  ];
};

const mediaOf = (media: readonly MediaItem[]): NonNullable<Product['media']> =>
  media.map(({ type, url, alt_text }) => ({ type, url, ...(alt_text && { alt_text }) }));

const websiteUrl = (website: string | null, slug: string | null, variant: string | null): string | null => {
  const url = website === null ? null : URL.parse(website);
  if (url === null || slug === null) return null;
  const page = `${url.origin}${url.pathname.replace(/\/+$/, '')}/products/${slug}`;
  return variant === null ? page : `${page}?variant=${variant}`;
};

/** What an answer wants of a product. */
export interface View {
  readonly website: string | null;
  /** Which of its variants are shown; what they are of is judged with them. */
  readonly filters?: CatalogFilters;
  /** Of a look-up: what was asked for; each variant that is shown answers to some of it. */
  readonly matches?: readonly ProductMatch[];
  /** Of a detail: the options that the buyer chose, which of them matter most, and the variant that they came for. */
  readonly chosen?: {
    readonly selected: Selected;
    readonly preferences: readonly string[];
    readonly variant: string | null;
  };
}

const fits = ({ options }: Sold, selected: Selected): boolean =>
  selected.every(({ name, label }) =>
    options.some((option) => folded(option.name) === folded(name) && folded(option.label) === folded(label)),
  );

const folded = (text: string): string => text.trim().toLowerCase();

/** Options are let go from the least wanted on, until some variant has all that are left. */
const relaxed = (sold: readonly Sold[], selected: Selected, preferences: readonly string[]): Selected => {
  const rank = ({ name }: Selected[number]): number => {
    const at = preferences.findIndex((each) => folded(each) === folded(name));
    return at < 0 ? preferences.length : at;
  };
  const kept = [...selected].sort((a, b) => rank(a) - rank(b));
  while (kept.length > 0 && !sold.some((variant) => fits(variant, kept))) kept.pop();
  return kept;
};

/** The one that stands for its product: the default, and one that can be bought where that cannot. */
const featuredOf = (sold: readonly Sold[]): Sold => {
  const first = sold.find(({ isDefault }) => isDefault) ?? sold[0]!;
  return first.stock > 0 ? first : (sold.find(({ stock }) => stock > 0) ?? first);
};

const inOrder = (sold: readonly Sold[], first: Sold): Sold[] => [first, ...sold.filter((each) => each !== first)];

/** The variants to show, the featured one first, and the options that are selected then. */
const narrowed = (
  sold: readonly Sold[],
  { selected, preferences, variant }: NonNullable<View['chosen']>,
): { readonly shown: readonly Sold[]; readonly selected: Selected } => {
  const named = sold.find(({ id }) => id === variant);
  if (named) {
    const alike = sold.filter((each) => fits(each, named.options));
    return { shown: inOrder(alike.length > 0 ? alike : [named], named), selected: named.options };
  }
  if (selected.length === 0) {
    const featured = featuredOf(sold);
    return { shown: inOrder(sold, featured), selected: featured.options };
  }
  const effective = relaxed(sold, selected, preferences);
  const alike = sold.filter((each) => fits(each, effective));
  return { shown: inOrder(alike, featuredOf(alike)), selected: effective };
};

const inputsOf = (variant: Sold, featured: Sold, matches: readonly ProductMatch[]) =>
  matches.flatMap(({ id, variant_id }) => {
    if (variant_id === variant.id) return [{ id, match: 'exact' }];
    return variant_id === null && variant === featured ? [{ id, match: 'featured' }] : [];
  });

/** Every option with its values, in the order in which variants name them; with `selected`, what is left to choose. */
const optionValues = (sold: readonly Sold[], selected: Selected | null): NonNullable<Product['options']> => {
  const names = [...new Set(sold.flatMap(({ options }) => options.map(({ name }) => name)))];
  return names.map((name) => {
    const labels = [
      ...new Set(sold.flatMap(({ options }) => options.filter((each) => each.name === name).map(({ label }) => label))),
    ];
    const others = selected?.filter((each) => folded(each.name) !== folded(name)) ?? [];
    return {
      name,
      values: labels.map((label) => {
        if (selected === null) return { label };
        const alike = sold.filter((variant) => fits(variant, [...others, { name, label }]));
        return { label, available: alike.some(({ stock }) => stock > 0), exists: alike.length > 0 };
      }),
    };
  });
};

const categoriesOf = (product: Shown): NonNullable<Product['categories']> => {
  const value = [product.category_name, product.subcategory_name].filter(Boolean).join(' > ');
  if (!value) return [];
  const google = product.google_product_category;
  return [{ value, taxonomy: 'merchant' }, ...(google ? [{ value: google, taxonomy: 'google_product_category' }] : [])];
};

/** Whether it is in one of these, or in one below. */
const isWithin = (categories: ReturnType<typeof categoriesOf>, names: readonly string[]): boolean =>
  categories.some(({ value }) => names.some((name) => `${folded(value)} > `.startsWith(`${folded(name)} > `)));

const passes = (
  { selling, stock }: Sold,
  { price, available }: CatalogFilters,
  minor: (major: number) => number,
): boolean => {
  const amount = minor(selling!);
  const isPriced = amount >= (price?.min ?? 0) && amount <= (price?.max ?? Number.POSITIVE_INFINITY);
  return isPriced && (!available || stock > 0);
};

/** Null where it has no price, and so cannot be bought, or nothing of it passes the filters. */
export const productDocument = (product: Shown, { website, filters = {}, matches, chosen }: View): Product | null => {
  const currency = product.display_currency;
  const minor = minorOf(currency);
  const price = (major: number) => ({ amount: minor(major), currency });
  const sold = soldOf(product).filter(({ selling }) => selling !== null);
  const passing = sold.filter((variant) => passes(variant, filters, minor));
  const categories = categoriesOf(product);
  if (passing.length === 0 || (filters.categories && !isWithin(categories, filters.categories))) return null;
  const featured = featuredOf(passing);
  const description = describedText(product.description) ?? { plain: product.name };
  const slug = product.product_slug;
  const detail = chosen && narrowed(sold, chosen);

  const variantOf = (variant: Sold): Variant => ({
    ...present<Pick<Variant, 'sku'>>({ sku: variant.sku }),
    ...(variant.gtin && { barcodes: [{ type: 'GTIN', value: variant.gtin }] }),
    id: variant.id,
    title: variant.name ?? product.name,
    description,
    ...present<Pick<Variant, 'url'>>({ url: websiteUrl(website, slug, product.variants ? variant.id : null) }),
    price: price(variant.selling!),
    ...(variant.price !== null && variant.price > variant.selling! && { list_price: price(variant.price) }),
    availability: { available: variant.stock > 0, status: variant.stock > 0 ? 'in_stock' : 'out_of_stock' },
    ...(variant.options.length > 0 && { options: variant.options }),
    ...(variant.media.length > 0 && { media: mediaOf(variant.media) }),
    ...(matches && { inputs: inputsOf(variant, featured, matches) }),
  });

  const shown = (detail?.shown ?? inOrder(passing, featured))
    .filter((variant) => passing.includes(variant))
    .map(variantOf);
  const variants = matches ? shown.filter(({ inputs }) => inputs!.length > 0) : shown;
  if (variants.length === 0) return null;
  const amounts = sold.map(({ selling }) => selling!);
  const options = optionValues(sold, detail?.selected ?? null);
  return {
    id: product.id,
    title: product.name,
    description,
    ...present<Pick<Product, 'handle' | 'url'>>({ handle: slug, url: websiteUrl(website, slug, null) }),
    ...(categories.length > 0 && { categories }),
    price_range: { min: price(Math.min(...amounts)), max: price(Math.max(...amounts)) },
    ...(product.media.length > 0 && { media: mediaOf(product.media) }),
    ...(options.length > 0 && { options }),
    ...(detail && { selected: detail.selected }),
    variants,
    ...(product.average_rating !== null && {
      rating: { value: product.average_rating, scale_min: 1, scale_max: 5, count: product.review_count },
    }),
    ...(product.tags && product.tags.length > 0 && { tags: [...product.tags] }),
  };
};
