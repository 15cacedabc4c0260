// Lists the stock levels of variants: by the names of their products, and then in the product's own order.
import type { ListInventoryRequest } from '#proto/gen/inventory.ts';
import { foreignCursor, type Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { nameKey } from '#values/text.ts';
import type { Catalogue } from './catalogue.ts';
import { type ProductEntry, sortKeyOf, type VariantEntry } from './entry.ts';
import { isLow } from './listing.ts';
import { cursorKeys, firstAfter, RANKINGS, sortKeysOf } from './order.ts';

const LIMIT_DEFAULT = 20;
const SORT = 'name';

export interface LevelPage {
  readonly variants: readonly VariantEntry[];
  readonly limit: number;
  readonly nextCursor: string | null;
}

type LevelFilter = (variant: VariantEntry) => boolean;

/** Ids of variants to which the request limits the list; null if it names none. */
const namedVariants = ({ variant_id, variant_ids }: ListInventoryRequest): ReadonlySet<string> | null => {
  const one = variant_id?.toLowerCase();
  const several = variant_ids?.map((id) => id.toLowerCase()) ?? null;
  if (one === undefined) return several && new Set(several);
  return new Set(several === null || several.includes(one) ? [one] : []);
};

const filterOf = (catalogue: Catalogue, { search, low_stock }: ListInventoryRequest): LevelFilter => {
  const name = sortKeyOf(search?.trim() ?? '');
  const sku = nameKey(search ?? '');
  return (variant) =>
    (search === undefined || variant.entry.nameKey.includes(name) || variant.skuKey.startsWith(sku)) &&
    (low_stock === undefined || isLow(catalogue, variant) === low_stock);
};

/** Named products and variants are found without a walk through the others. */
const entriesOf = (
  catalogue: Catalogue,
  product_id: string | null,
  named: ReadonlySet<string> | null,
): readonly ProductEntry[] => {
  if (product_id === null && named === null) return catalogue.sorted(SORT);
  const found =
    named === null ? [catalogue.product(product_id!)] : Array.from(named, (id) => catalogue.variant(id)?.entry);
  const product = product_id?.toLowerCase();
  const entries = found.flatMap((entry) => (entry && (product === undefined || entry.id === product) ? entry : []));
  return [...new Set(entries)].sort(RANKINGS[SORT].compare);
};

export const levelPage = (catalogue: Catalogue, tenant: Tenant, request: ListInventoryRequest): LevelPage | Refusal => {
  const { search = null, low_stock = null, product_id = null, cursor } = request;
  const named = namedVariants(request);
  const limit = request.limit ?? LIMIT_DEFAULT;
  const scope = JSON.stringify(['inventory', tenantKey(tenant), search, low_stock, product_id, named && [...named]]);
  const keys = cursor === undefined ? null : decodeCursor(scope, cursor);
  if (cursor !== undefined && keys === null) return foreignCursor(cursor);

  const entries = entriesOf(catalogue, product_id, named);
  const passes = filterOf(catalogue, request);
  // The last key is the number of the product's variants that earlier pages have passed.
  const position = keys && sortKeysOf(SORT, keys);
  const passed = keys === null ? 0 : Number(keys.at(-1));
  const next = position === null ? 0 : firstAfter(entries, position, RANKINGS[SORT].compare);
  const isInside = position !== null && entries[next - 1]?.id === position.id;

  const found: VariantEntry[] = [];
  for (let at = isInside ? next - 1 : next; at < entries.length; at++) {
    const { variants } = entries[at]!;
    for (let place = isInside && at === next - 1 ? passed : 0; place < variants.length; place++) {
      const variant = variants[place]!;
      if (named?.has(variant.id) === false || !passes(variant)) continue;
      if (found.length === limit) return { variants: found, limit, nextCursor: cursorAfter(scope, found.at(-1)!) };
      found.push(variant);
    }
  }
  return { variants: found, limit, nextCursor: null };
};

const cursorAfter = (scope: string, variant: VariantEntry): string => {
  const { entry } = variant;
  return encodeCursor(scope, [...cursorKeys(SORT, entry), entry.variants.indexOf(variant) + 1]);
};
