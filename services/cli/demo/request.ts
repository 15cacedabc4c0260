// Converts the demo's data to request bodies.
import type { CreateCollectionRequest } from '#proto/gen/collection.ts';
import type { CreateProductRequest } from '#proto/gen/product_request.ts';
import type { CreatePromotionRequest } from '#proto/gen/promotion.ts';
import type { MediaItemInput } from '#proto/gen/shared.ts';
import type { CreateTaxRateRequest } from '#proto/gen/tax_rate.ts';
import type { NewVariant } from '#proto/gen/variant_request.ts';
import type {
  DemoCollection,
  DemoProduct,
  DemoPromotion,
  DemoShop,
  DemoSubcategory,
  DemoTaxRate,
  DemoVariant,
} from './data.ts';

const subcategoryOf = (product: DemoProduct, { categories }: Pick<DemoShop, 'categories'>): DemoSubcategory => {
  const found = categories
    .flatMap(({ subcategories }) => subcategories)
    .find(({ name }) => name === product.subcategory);
  if (!found) throw new Error(`${product.name} is in ${product.subcategory}, which the shop does not have.`);
  return found;
};

const variantName = (variant: DemoVariant): string =>
  Object.values(variant.variant_attributes ?? {})
    .map((value) => String(value).replace(/^[a-z]/, (letter) => letter.toUpperCase()))
    .join(' / ');

const media = (pictures: string, names: readonly string[], alt: string): MediaItemInput[] =>
  [...new Set(names)].map((name, index) => ({
    type: 'image',
    url: `${pictures}/${name}.svg`,
    alt_text: alt,
    width: 800,
    height: 800,
    position: index + 1,
  }));

const sold = ({ picture, ...variant }: DemoVariant) => variant;

const variantRequest = (product: DemoProduct, variant: DemoVariant, index: number, pictures: string): NewVariant => ({
  ...sold(variant),
  variant_name: variantName(variant),
  is_default: index === 0,
  media: media(pictures, [variant.picture], `${product.name}, ${variantName(variant)}`),
});

export const productRequest = (
  product: DemoProduct,
  shop: Pick<DemoShop, 'name' | 'categories' | 'translations'>,
  subcategories: ReadonlyMap<string, string>,
  pictures: string,
): CreateProductRequest => {
  const { google_product_category, meta_product_category } = subcategoryOf(product, shop);
  const [first, ...others] = product.variants;
  const [length_cm, width_cm, height_cm] = product.parcel;
  return {
    name: product.name,
    brand: product.brand,
    description: product.description,
    subcategory_id: subcategories.get(product.subcategory) as string,
    media: media(
      pictures,
      product.variants.map(({ picture }) => picture),
      product.name,
    ),
    seo_title: `${product.name} by ${product.brand} | ${shop.name}`,
    seo_description: product.seo_description,
    seo_keywords: [product.name.toLowerCase(), ...product.tags],
    featured: product.featured_order !== undefined,
    ...(product.featured_order !== undefined && { featured_order: product.featured_order }),
    tags: [...product.tags],
    google_product_category,
    meta_product_category,
    attributes: { ...product.attributes },
    shipping_info: {
      requires_shipping: true,
      weight_grams: Math.max(...product.variants.map(({ weight_grams }) => weight_grams)),
      length_cm,
      width_cm,
      height_cm,
    },
    specifications: product.specifications.map(([group, name, value, unit]) => ({
      group,
      name,
      value,
      unit: unit ?? null,
    })),
    translations: shop.translations.products[product.name],
    ...(others.length === 0
      ? sold(first)
      : { variants: product.variants.map((variant, index) => variantRequest(product, variant, index, pictures)) }),
  };
};

export const collectionRequest = (
  collection: DemoCollection,
  priority: number,
  pictures: string,
  { collections }: Pick<DemoShop['translations'], 'collections'>,
): CreateCollectionRequest => {
  const { name, slug, description, collection_type, show_on_homepage, scene } = collection;
  return {
    name,
    translations: collections[name],
    slug,
    description,
    collection_type,
    show_on_homepage,
    display_priority: priority,
    image: `${pictures}/scene-${scene}-wide.svg`,
    image_mobile: `${pictures}/scene-${scene}-tall.svg`,
  };
};

export const promotionRequest = (
  { categories: names, ...promotion }: DemoPromotion,
  categories: ReadonlyMap<string, string>,
): CreatePromotionRequest => ({
  ...promotion,
  ...(names.length > 0 && { applies_to: { category_ids: names.map((name) => categories.get(name) as string) } }),
});

export const taxRateRequest = (
  { category, ...rate }: DemoTaxRate,
  categories: ReadonlyMap<string, string>,
): CreateTaxRateRequest => ({ ...rate, category_id: categories.get(category) as string });
