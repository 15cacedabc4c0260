// Caches each tenant's compiled promotions and tax rates.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { TenantReplica } from '#runtime/flow/tenant_replica.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { RecentMap } from '#values/recent_map.ts';
import type { PromotionRule, Targets } from './discount.ts';
import { ENDED, NOT_STARTED, type Obstacle, PAUSED, UNKNOWN_CODE } from './obstacle.ts';
import { type PromotionRecord, type PromotionStatus, statusAt } from './promotion.ts';
import { allPromotions, type CountedPromotion, currentRevision, currentRevisions } from './table/promotion.ts';
import { allTaxRates } from './table/tax_rate.ts';
import { normalAddress, type TaxAddress, type TaxRule, TaxTable } from './tax.ts';
import { taxRuleOf } from './tax_rate.ts';

export type AnnouncePrices = (tx: Transaction, tenant: Tenant) => void;

export const announcer =
  ({ notices, log }: Pick<Runtime, 'notices' | 'log'>, memory: RuleCache): AnnouncePrices =>
  (tx, tenant) =>
    tx.afterCommit(async () => {
      await memory.follow(tenant).catch((error) => {
        log.warn({ err: error }, 'failed to refresh pricing rules after a change; retrying at the next check');
      });
      notices.publish({ kind: 'prices', tenant });
    });

export interface LoadedRule extends PromotionRule {
  readonly record: CountedPromotion;
  readonly hasUsageLimit: boolean;
}

export interface Rules {
  readonly revision: number;
  readonly automatic: readonly LoadedRule[];
  readonly byCode: ReadonlyMap<string, LoadedRule>;
  taxes(place: TaxAddress, inclusive: boolean): TaxTable;
}

const TAX_TABLES_MAX = 1_000;

const ruleOf = (record: PromotionRecord): PromotionRule => {
  const targets: Targets = {
    products: new Set(record.product_ids),
    categories: new Set(record.category_ids),
    collections: new Set(record.collection_ids),
  };
  return {
    id: record.id,
    name: record.name,
    translations: record.translations,
    code: record.code,
    type: record.type,
    value: record.value ?? 0,
    currency: record.currency,
    targets: Object.values(targets).every(({ size }) => size === 0) ? null : targets,
    buy: record.buy_quantity ?? 0,
    get: record.get_quantity ?? 0,
    getDiscount: record.get_discount ?? 0,
    minimum: record.minimum_subtotal,
    stackable: record.stackable,
  };
};

const loadedRuleOf = (record: CountedPromotion): LoadedRule => ({
  ...ruleOf(record),
  record,
  hasUsageLimit: record.usage_limit !== null || record.usage_limit_per_customer !== null,
});

const isFinal = (status: PromotionStatus): boolean => status === 'ended' || status === 'expired';

export const compile = (
  revision: number,
  promotions: readonly CountedPromotion[],
  taxRules: readonly TaxRule[],
): Rules => {
  const byCode = new Map<string, LoadedRule>();
  // If promotions have the same code, the one that has not ended is used, otherwise the newest.
  for (const record of promotions) {
    if (record.code === null) continue;
    const known = byCode.get(record.code);
    if (!known || !isFinal(record.status) || isFinal(known.record.status))
      byCode.set(record.code, loadedRuleOf(record));
  }
  const tables = new RecentMap<string, TaxTable>(TAX_TABLES_MAX);
  return {
    revision,
    automatic: promotions.filter(({ code }) => code === null).map(loadedRuleOf),
    byCode,
    taxes(written, inclusive) {
      const place = normalAddress(written);
      const key = JSON.stringify([place, inclusive]);
      return tables.getOrInsertComputed(key, () => new TaxTable(taxRules, place, inclusive));
    },
  };
};

export const hasEnded = ({ record }: LoadedRule, nowMs: number): boolean => isFinal(statusAt(record, nowMs));

export const statusObstacle = ({ record }: LoadedRule, nowMs: number): Obstacle | null => {
  switch (statusAt(record, nowMs)) {
    case 'active':
      return null;
    case 'draft':
      return UNKNOWN_CODE;
    case 'scheduled':
      return NOT_STARTED;
    case 'paused':
      return PAUSED;
    default:
      return ENDED;
  }
};

const TENANTS_MAX = 10_000;
const POLL_MS = 5_000;

const loadRules = async (sql: Sql, tenant: Tenant, before?: Rules): Promise<Rules> => {
  // Reads the revision before the rules, so that a concurrent change has a later revision and is loaded afterwards.
  const revision = await currentRevision(sql, tenant);
  if (before && before.revision >= revision) return before;
  const [promotions, rates] =
    revision === 0 ? [[], []] : await Promise.all([allPromotions(sql, tenant), allTaxRates(sql, tenant)]);
  return compile(revision, promotions, rates.map(taxRuleOf));
};

/** Each tenant's rules; outdated ones while the database is unavailable. */
export class RuleCache extends TenantReplica<Rules> {
  constructor(runtime: Pick<Runtime, 'postgres' | 'clock' | 'log'>) {
    const { sql } = runtime.postgres;
    super(runtime, {
      name: 'pricing rules',
      load: (tenant) => loadRules(sql, tenant),
      update: (rules, _, tenant) => loadRules(sql, tenant, rules),
      revisions: currentRevisions,
      servesStale: false,
      valuesMax: TENANTS_MAX,
      pollMs: POLL_MS,
    });
  }
}
