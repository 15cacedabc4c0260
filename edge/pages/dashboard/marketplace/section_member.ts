// Members of a section, as its screen edits and names them.
import type { DashboardApi, PutSectionItem, Section, SectionItem } from '#proto/client/dashboard.ts';

export type SectionKind = Section['placement_kind'];

/** A product, a promotion or a merchant. */
export interface Member {
  readonly store: string;
  /** Id of the product or promotion; null for a merchant. */
  readonly id: string | null;
}

export const memberKey = ({ store, id }: Member): string => `${store} ${id ?? ''}`;

const memberOf = ({ merchant_store_id: store, product_id, promotion_id }: SectionItem): Member => ({
  store,
  id: product_id ?? promotion_id ?? null,
});

/** Shown members in their order, then those that are not shown now, which saving must not lose. */
export const membersOf = ({ items, hidden_items = [] }: Section): readonly Member[] =>
  [...items, ...hidden_items].map(memberOf);

export const itemOf = (kind: SectionKind, { store, id }: Member): PutSectionItem => ({
  merchant_store_id: store,
  ...(kind === 'product' && { product_id: id }),
  ...(kind === 'promotion' && { promotion_id: id }),
});

const IDS_MAX = 100;

const productNames = async (api: DashboardApi, members: readonly Member[]): Promise<ReadonlyMap<string, string>> => {
  const stores = [...new Set(members.map(({ store }) => store))];
  const found = await Promise.all(
    stores.map(async (store) => {
      const ids = members.filter((member) => member.store === store).map(({ id }) => id!);
      const { products } = await api.merchant(store).products.list({ ids, limit: IDS_MAX, fields: ['id', 'name'] });
      return products.map(({ id, name }) => [memberKey({ store, id }), name] as const);
    }),
  );
  return new Map(found.flat());
};

/** Names of a section's members by their keys. A member that is not shown has none. */
export const readNames = async (api: DashboardApi, section: Section): Promise<ReadonlyMap<string, string>> => {
  const shown = section.items.map(memberOf);
  if (section.placement_kind === 'product') return productNames(api, shown);
  return new Map(section.items.map((item) => [memberKey(memberOf(item)), item.title ?? item.name ?? '']));
};

export interface FoundMember {
  readonly member: Member;
  readonly name: string;
}

const FOUND_MAX = 8;
const PROMOTIONS_MAX = 100;

/** Finds products or promotions of a merchant by a part of their name. */
export const findMembers = async (
  api: DashboardApi,
  kind: SectionKind,
  store: string,
  search: string,
): Promise<readonly FoundMember[]> => {
  const merchant = api.merchant(store);
  if (kind === 'product') {
    if (search === '') return [];
    const { products } = await merchant.products.list({ search, limit: FOUND_MAX, fields: ['id', 'name'] });
    return products.map(({ id, name }) => ({ member: { store, id }, name }));
  }
  const { promotions } = await merchant.promotions.list({ limit: PROMOTIONS_MAX, fields: ['id', 'name'] });
  return promotions
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .slice(0, FOUND_MAX)
    .map(({ id, name }) => ({ member: { store, id }, name }));
};
