// Names of products in the page's language for checkouts, whose lines have the names of the default language.
import { useRequest } from './answer.ts';
import type { OpenShop } from './client.ts';

const NAMES_MAX = 100;

interface NamedLine {
  readonly product_id?: string | null;
  readonly name: string;
}

const readNames = async ({ api }: OpenShop, ids: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  if (ids.length === 0) return {};
  const { products } = await api.products.list({ ids: [...ids], limit: ids.length, fields: ['id', 'name'] });
  return Object.fromEntries(products.map(({ id, name }) => [id, name]));
};

/** Returns a line's own name until the answer is there, and for a product that is no longer listed. */
export const useProductNames = (shop: OpenShop, lines: readonly NamedLine[]): ((line: NamedLine) => string) => {
  const isTranslated = shop.language !== shop.store.language;
  const all = new Set(isTranslated ? lines.flatMap(({ product_id: id }) => id ?? []) : []);
  const ids = [...all].sort().slice(0, NAMES_MAX);
  const about = ids.join();
  const { value } = useRequest(() => readNames(shop, ids), [about], about === '' ? undefined : `names/${about}`);
  return ({ product_id: id, name }) => (id == null ? undefined : value?.[id]) ?? name;
};
