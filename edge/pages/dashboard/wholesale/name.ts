// Names of variants that a deal's lines refer to by id.
import type { DashboardApi } from '#proto/client/dashboard.ts';

export type VariantNames = ReadonlyMap<string, string>;

/** Bounds the walk through a large catalogue; a line beyond it is shown by its variant's id. */
const PRODUCTS_MAX = 1_000;
const PAGE = 100;

export const readNames = async (api: DashboardApi, ids: readonly string[]): Promise<VariantNames> => {
  const missing = new Set(ids);
  const found: (readonly [id: string, name: string])[] = [];
  const take = (id: string, name: string): void => {
    if (missing.delete(id)) found.push([id, name]);
  };
  let read = 0;
  for await (const { id, name, variant_id, has_variants } of api.products.list({ limit: PAGE })) {
    if (variant_id !== null) take(variant_id, name);
    if (has_variants && missing.size > 0)
      for (const variant of (await api.products.get({ id })).variants ?? [])
        take(variant.variant_id, [name, variant.variant_name].filter(Boolean).join(', '));
    read++;
    if (missing.size === 0 || read === PRODUCTS_MAX) break;
  }
  return new Map(found);
};
