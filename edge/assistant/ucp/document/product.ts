// Formats catalogue products as UCP products. Puts merchants' texts only into fields that clients treat as data.

import type { CatalogFilters } from '#edge/assistant/ucp/input/schema.ts';
import type { ProductMatch } from '#proto/gen/assistant.ts';
import type { Product as CatalogProduct } from '#proto/gen/product.ts';
import type { MediaItem } from '#proto/gen/shared.ts';
import { minorOf, present } from '#services/commerce/ucp_basket.ts';
import { describedText } from '#values/html.ts';
import { validGtin } from '#values/text.ts';
import type { Product, Variant } from './schema.ts';

type CatalogVariant = NonNullable<CatalogProduct['variants']>[number];
type Selected = NonNullable<Variant['options']>;

interface SellableVariant {
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

const optionsOf = (attributes: CatalogVariant['variant_attributes']): Selected =>
  Object.entries(attributes ?? {}).map(([name, value]) => ({ name, label: String(value) }));

const sellableVariantsOf = (product: CatalogProduct): SellableVariant[] => {
  if (product.variants)
    return product.variants.map((variant) => ({
      id: variant.variant_id,
      sku: variant.sku,
      gtin: validGtin(variant.gtin),
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
      gtin: validGtin(product.gtin ?? null),
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
  const page = `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}/products/${slug}`;
  return variant === null ? page : `${page}?variant=${variant}`;
};

export interface View {
  readonly website: string | null;
  readonly filters?: CatalogFilters;
  readonly matches?: readonly ProductMatch[];
  readonly chosen?: {
    readonly selected: Selected;
    readonly preferences: readonly string[];
    readonly variant: string | null;
  };
}

const fits = ({ options }: SellableVariant, selected: Selected): boolean =>
  selected.every(({ name, label }) =>
    options.some((option) => folded(option.name) === folded(name) && folded(option.label) === folded(label)),
  );

const folded = (text: string): string => text.trim().toLowerCase();

/** Removes selected options, the least preferred first, until at least one variant matches. */
const relaxedSelection = (
  sellable: readonly SellableVariant[],
  selected: Selected,
  preferences: readonly string[],
): Selected => {
  const rank = ({ name }: Selected[number]): number => {
    const at = preferences.findIndex((each) => folded(each) === folded(name));
    return at < 0 ? preferences.length : at;
  };
  const remaining = [...selected].sort((a, b) => rank(a) - rank(b));
  while (remaining.length > 0 && !sellable.some((variant) => fits(variant, remaining))) remaining.pop();
  return remaining;
};

const featuredOf = (sellable: readonly SellableVariant[]): SellableVariant => {
  const first = sellable.find(({ isDefault }) => isDefault) ?? sellable[0]!;
  return first.stock > 0 ? first : (sellable.find(({ stock }) => stock > 0) ?? first);
};

const inOrder = (sellable: readonly SellableVariant[], first: SellableVariant): SellableVariant[] => [
  first,
  ...sellable.filter((each) => each !== first),
];

const detailOf = (
  sellable: readonly SellableVariant[],
  { selected, preferences, variant }: NonNullable<View['chosen']>,
): { readonly shown: readonly SellableVariant[]; readonly selected: Selected } => {
  const named = sellable.find(({ id }) => id === variant);
  if (named) {
    const alike = sellable.filter((each) => fits(each, named.options));
    return { shown: inOrder(alike.length > 0 ? alike : [named], named), selected: named.options };
  }
  if (selected.length === 0) {
    const featured = featuredOf(sellable);
    return { shown: inOrder(sellable, featured), selected: featured.options };
  }
  const effective = relaxedSelection(sellable, selected, preferences);
  const alike = sellable.filter((each) => fits(each, effective));
  return { shown: inOrder(alike, featuredOf(alike)), selected: effective };
};

const inputsOf = (variant: SellableVariant, featured: SellableVariant, matches: readonly ProductMatch[]) =>
  matches.flatMap(({ id, variant_id }) => {
    if (variant_id === variant.id) return [{ id, match: 'exact' }];
    return variant_id === null && variant === featured ? [{ id, match: 'featured' }] : [];
  });

/**
 * Returns all options with their values, in the order of the variants. If `selected` is given, marks the values that
 * some matching variant has.
 */
const optionValues = (
  sellable: readonly SellableVariant[],
  selected: Selected | null,
): NonNullable<Product['options']> => {
  const names = [...new Set(sellable.flatMap(({ options }) => options.map(({ name }) => name)))];
  return names.map((name) => {
    const labels = [
      ...new Set(
        sellable.flatMap(({ options }) => options.filter((each) => each.name === name).map(({ label }) => label)),
      ),
    ];
    const others = selected?.filter((each) => folded(each.name) !== folded(name)) ?? [];
    return {
      name,
      values: labels.map((label) => {
        if (selected === null) return { label };
        const alike = sellable.filter((variant) => fits(variant, [...others, { name, label }]));
        return { label, available: alike.some(({ stock }) => stock > 0), exists: alike.length > 0 };
      }),
    };
  });
};

const categoriesOf = (product: CatalogProduct): NonNullable<Product['categories']> => {
  const value = [product.category_name, product.subcategory_name].filter(Boolean).join(' > ');
  if (!value) return [];
  const google = product.google_product_category;
  return [{ value, taxonomy: 'merchant' }, ...(google ? [{ value: google, taxonomy: 'google_product_category' }] : [])];
};

const isWithin = (categories: ReturnType<typeof categoriesOf>, names: readonly string[]): boolean =>
  categories.some(({ value }) => names.some((name) => `${folded(value)} > `.startsWith(`${folded(name)} > `)));

const passes = (
  { selling, stock }: SellableVariant,
  { price, available }: CatalogFilters,
  minor: (major: number) => number,
): boolean => {
  const amount = minor(selling!);
  const isPriced = amount >= (price?.min ?? 0) && amount <= (price?.max ?? Number.POSITIVE_INFINITY);
  return isPriced && (!available || stock > 0);
};

export const productDocument = (
  product: CatalogProduct,
  { website, filters = {}, matches, chosen }: View,
): Product | null => {
  const currency = product.display_currency;
  const minor = minorOf(currency);
  const price = (major: number) => ({ amount: minor(major), currency });
  const sellable = sellableVariantsOf(product).filter(({ selling }) => selling !== null);
  const passing = sellable.filter((variant) => passes(variant, filters, minor));
  const categories = categoriesOf(product);
  if (passing.length === 0 || (filters.categories && !isWithin(categories, filters.categories))) return null;
  const featured = featuredOf(passing);
  const description = describedText(product.description) ?? { plain: product.name };
  const slug = product.product_slug;
  const detail = chosen && detailOf(sellable, chosen);

  const variantOf = (variant: SellableVariant): Variant => ({
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
  const amounts = sellable.map(({ selling }) => selling!);
  const options = optionValues(sellable, detail?.selected ?? null);
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
