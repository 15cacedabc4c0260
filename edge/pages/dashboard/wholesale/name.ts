// Names of variants that a deal's lines refer to by id.
import type { DashboardApi } from '#proto/client/dashboard.ts';

export type VariantNames = ReadonlyMap<string, string>;

const IDS_MAX = 100;

/** A variant that was deleted has no name. */
export const readNames = async (api: DashboardApi, ids: readonly string[]): Promise<VariantNames> => {
  const wanted = [...new Set(ids)];
  const names = new Map<string, string>();
  for (let at = 0; at < wanted.length; at += IDS_MAX) {
    const variant_ids = wanted.slice(at, at + IDS_MAX);
    const { inventory } = await api.inventory.list({
      variant_ids,
      limit: IDS_MAX,
      fields: ['variant_id', 'product_name', 'variant_name'],
    });
    for (const { variant_id, product_name, variant_name } of inventory)
      names.set(variant_id, [product_name, variant_name].filter(Boolean).join(', '));
  }
  return names;
};
