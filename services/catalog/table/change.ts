// SQL that finds what changed in a catalogue since a revision: the tables concerned, and stock levels.
import type { Tenant } from '#runtime/call/call.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { VariantLevel } from './product_reader.ts';

export interface CatalogueNews {
  readonly revision: number;
  readonly products: boolean;
  readonly price_lists: boolean;
  readonly groups: boolean;
  readonly levels: readonly VariantLevel[];
}

export const newsSince = async (
  sql: Sql,
  { store, environment }: Tenant,
  since: number,
): Promise<CatalogueNews | null> => {
  const written = (table: string) => sql`
    exists (select from catalog.${sql.unsafe(table)} where store = ${store} and environment = ${environment} and revision > ${since})`;
  const [news] = await sql<CatalogueNews[]>`
    select revision, ${written('product')} as products, ${written('price_list')} as price_lists,
      ${written('category')} or ${written('collection')} as groups, coalesce((
        select json_agg(json_build_object('variant_id', variant_id, 'on_hand', on_hand, 'version', version, 'allocated', allocated,
          'held', held, 'last_restocked', last_restocked::text))
        from catalog.inventory where store = ${store} and environment = ${environment} and revision > ${since}
      ), '[]') as levels
    from catalog.revision where store = ${store} and environment = ${environment} and revision > ${since}`;
  return news ?? null;
};
