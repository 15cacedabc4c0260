// Encodes a parcel in the id of the carrier rate, so that the rate can be fetched again. Estimates parcels that were
// not sent.
import type { ListedProduct } from '#proto/gen/product.ts';
import type { Parcel, ShippingLine } from '#proto/gen/shipping.ts';
import type { Call } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { AskDomain } from '#runtime/domain/runtime.ts';

export const parcelText = ({ weight_grams, length_cm, width_cm, height_cm }: Parcel): string =>
  `${weight_grams}g${length_cm}x${width_cm}x${height_cm}`;

const NUMBER_PATTERN = '(\\d+(?:\\.\\d+)?)';
const PARCEL_PATTERN = new RegExp(`^(\\d+)g${NUMBER_PATTERN}x${NUMBER_PATTERN}x${NUMBER_PATTERN}$`);

export const parseParcel = (text: string): Parcel | null => {
  const [weight_grams, length_cm, width_cm, height_cm] = PARCEL_PATTERN.exec(text)?.slice(1).map(Number) ?? [];
  if (!(weight_grams! > 0 && length_cm! > 0 && width_cm! > 0 && height_cm! > 0)) return null;
  return { weight_grams: weight_grams!, length_cm: length_cm!, width_cm: width_cm!, height_cm: height_cm! };
};

const DEFAULT_WEIGHT_GRAMS = 500;
const DEFAULT_BOX_CM = { length: 30, width: 20, height: 10 } as const;
const WEIGHT_GRAMS_MAX = 100_000_000;
const SIDE_CM_MAX = 10_000;

/** Estimates a parcel that contains all units, stacked in one box. */
export const estimateParcel = async (ask: AskDomain, call: Call, lines: readonly ShippingLine[]): Promise<Parcel> => {
  const { askOrThrow } = openDomainClient({ ask });
  const ids = [...new Set(lines.map(({ variant_id }) => variant_id.toLowerCase()))];
  const found = await askOrThrow('CatalogDirectory/VariantsByIds', call, { variant_ids: ids });
  const variants = new Map(found.variants.map((variant) => [variant.variant_id, variant]));
  const listed = await askOrThrow('CatalogDirectory/ProductsByIds', call, {
    product_ids: [...new Set(found.variants.map(({ product_id }) => product_id))],
  });
  const products = new Map(listed.products.map((product) => [product.id, product]));
  let [weight, length, width, height] = [0, 0, 0, 0];
  for (const { variant_id, quantity } of lines) {
    const variant = variants.get(variant_id.toLowerCase());
    if (variant && !variant.requires_shipping) continue;
    const box = boxOf(variant && products.get(variant.product_id));
    weight += (variant?.weight_grams ?? box.weight_grams ?? DEFAULT_WEIGHT_GRAMS) * quantity;
    length = Math.max(length, box.length_cm ?? DEFAULT_BOX_CM.length);
    width = Math.max(width, box.width_cm ?? DEFAULT_BOX_CM.width);
    height += (box.height_cm ?? DEFAULT_BOX_CM.height) * quantity;
  }
  return {
    weight_grams: Math.min(WEIGHT_GRAMS_MAX, Math.max(1, Math.ceil(weight))),
    length_cm: Math.min(SIDE_CM_MAX, length || DEFAULT_BOX_CM.length),
    width_cm: Math.min(SIDE_CM_MAX, width || DEFAULT_BOX_CM.width),
    height_cm: Math.min(SIDE_CM_MAX, height || DEFAULT_BOX_CM.height),
  };
};

type Box = Partial<Record<'weight_grams' | 'length_cm' | 'width_cm' | 'height_cm', number | null>>;

const boxOf = (product: ListedProduct | undefined): Box => (product?.shipping_info as Box | null | undefined) ?? {};
