// Caches each tenant's compiled promotions and tax rates. Loads them when first used, and again when a notice or the
// periodic check reports a newer revision.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { toFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
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
      await memory.refresh(tenant).catch((error) => {
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
const CHECK_INTERVAL_MS = 5_000;

interface CachedRules {
  readonly tenant: Tenant;
  readonly rules: Rules;
  /** Whether loading a newer revision has failed. */
  isStale: boolean;
}

export class RuleCache {
  readonly #runtime: Pick<Runtime, 'postgres' | 'clock' | 'log'>;
  readonly #cached = new RecentMap<TenantKey, CachedRules>(TENANTS_MAX);
  readonly #loading = new Map<TenantKey, Promise<Rules>>();
  #stopChecking = (): void => {};

  constructor(runtime: Pick<Runtime, 'postgres' | 'clock' | 'log'>) {
    this.#runtime = runtime;
  }

  /** Returns the tenant's rules; outdated ones while the database is unavailable. */
  get(tenant: Tenant): Rules | Promise<Rules> {
    const cached = this.#cached.get(tenantKey(tenant));
    return cached && !(cached.isStale && this.#runtime.postgres.available) ? cached.rules : this.#load(tenant);
  }

  async refresh(tenant: Tenant): Promise<void> {
    const key = tenantKey(tenant);
    // Waits for a load in progress, which may have missed this change.
    await this.#loading.get(key)?.catch(() => {});
    const cached = this.#cached.get(key);
    if (!cached) return;
    try {
      if ((await currentRevision(this.#runtime.postgres.sql, tenant)) > cached.rules.revision) await this.#load(tenant);
    } catch (error) {
      cached.isStale = true;
      throw error;
    }
  }

  start(): void {
    const { postgres, clock, log } = this.#runtime;
    this.#stopChecking = repeatedly({
      everyMs: CHECK_INTERVAL_MS,
      able: () => postgres.available,
      resting: { postgres, clock },
      work: this.checkRevisions,
      failed: (error) => log.warn({ err: error }, 'failed to compare revisions of pricing rules'),
    });
  }

  stop(): void {
    this.#stopChecking();
    this.#cached.clear();
  }

  /** Looks for changes whose notices were lost. */
  readonly checkRevisions = async (): Promise<void> => {
    const { postgres } = this.#runtime;
    if (this.#cached.size === 0 || !postgres.available) return;
    const tenants = Array.from(this.#cached.values(), ({ tenant }) => tenant);
    const revisions = await currentRevisions(postgres.sql, tenants);
    const behind = revisions.filter(({ tenant, revision }) => {
      const cached = this.#cached.get(tenantKey(tenant));
      return cached && cached.rules.revision < revision;
    });
    await Promise.all(behind.map(({ tenant }) => this.refresh(tenant)));
  };

  #load(tenant: Tenant): Promise<Rules> {
    const key = tenantKey(tenant);
    const running = this.#loading.get(key);
    if (running) return running;
    const loading = this.#read(tenant).finally(() => this.#loading.delete(key));
    this.#loading.set(key, loading);
    return loading;
  }

  async #read(tenant: Tenant): Promise<Rules> {
    const { sql } = this.#runtime.postgres;
    const key = tenantKey(tenant);
    try {
      // Reads the revision before the rules, so that a concurrent change has a later revision and is loaded afterwards.
      const revision = await currentRevision(sql, tenant);
      const [promotions, rates] =
        revision === 0 ? [[], []] : await Promise.all([allPromotions(sql, tenant), allTaxRates(sql, tenant)]);
      const rules = compile(revision, promotions, rates.map(taxRuleOf));
      this.#cached.set(key, { tenant, rules, isStale: false });
      return rules;
    } catch (error) {
      throw toFault(error);
    }
  }
}
