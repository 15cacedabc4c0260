// Updates Postgres' statistics while the catalogue grows fast. Until autovacuum analyses a table that was empty, the
// planner assumes one row per tenant. Queries are then up to a hundred times slower (30 s instead of 1.3 s for 19,406
// unchanged products).

import type { Sql } from '#runtime/postgres/sql.ts';
import type { Log } from '#runtime/process/log.ts';

const FIRST_ANALYSIS = 250;
const ANALYSIS_FACTOR = 4;

export interface Statistics {
  productsAdded(products: number): void;
}

export const openStatistics = (sql: Sql, log: Log): Statistics => {
  let grown = 0;
  let next = FIRST_ANALYSIS;
  return {
    productsAdded(products) {
      grown += products;
      if (grown < next) return;
      next = grown * ANALYSIS_FACTOR;
      sql`
        analyze catalog.product (store, environment, id, external_id, revision),
          catalog.variant (store, environment, id, product_id, sku),
          catalog.inventory (store, environment, variant_id, revision)`.catch((problem) =>
        log.warn({ err: problem }, 'failed to analyze catalogue tables'),
      );
    },
  };
};
