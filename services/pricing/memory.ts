// Every awake tenant's promotions and tax rates, compiled: loaded on first use, loaded anew when a notice or a look says
// that they changed.
import { type Tenant, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import { asFault } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Rule, Targets } from './discount.ts';
import { ENDED, NOT_BEGUN, type Obstacle, PAUSED, UNKNOWN_CODE } from './obstacle.ts';
import { type PromotionRecord, type PromotionStatus, statusAt } from './promotion.ts';
import { allPromotions, type UsedPromotion } from './table/promotion.ts';
import { currentRevision, currentRevisions } from './table/revision.ts';
import { allTaxRates } from './table/tax_rate.ts';
import { placeOf, type TaxAddress, type TaxRule, TaxTable } from './tax.ts';
import { taxRuleOf } from './tax_rate.ts';

/** A promotion with what the engine does not look at. */
export interface LoadedRule extends Rule {
  readonly record: UsedPromotion;
  /** Whether its uses are counted before it may apply. */
  readonly limited: boolean;
}

export interface Rules {
  readonly revision: number;
  /** Without a code. */
  readonly automatic: readonly LoadedRule[];
  readonly byCode: ReadonlyMap<string, LoadedRule>;
  taxes(place: TaxAddress, inclusive: boolean): TaxTable;
}

const PLACES_MAX = 1_000;

const ruleOf = (record: PromotionRecord): Rule => {
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
    getShare: record.get_discount ?? 0,
    minimum: record.minimum_subtotal,
    stackable: record.stackable,
  };
};

const knownRule = (record: UsedPromotion): LoadedRule => ({
  ...ruleOf(record),
  record,
  limited: record.usage_limit !== null || record.usage_limit_per_customer !== null,
});

const isFinal = (status: PromotionStatus): boolean => status === 'ended' || status === 'expired';

export const compile = (
  revision: number,
  promotions: readonly UsedPromotion[],
  taxRules: readonly TaxRule[],
): Rules => {
  const byCode = new Map<string, LoadedRule>();
  // A code may have been another promotion's before: one that is not over has it, else the last that had it.
  for (const record of promotions) {
    if (record.code === null) continue;
    const known = byCode.get(record.code);
    if (!known || !isFinal(record.status) || isFinal(known.record.status)) byCode.set(record.code, knownRule(record));
  }
  const tables = new Map<string, TaxTable>();
  return {
    revision,
    automatic: promotions.filter(({ code }) => code === null).map(knownRule),
    byCode,
    taxes(written, inclusive) {
      const place = placeOf(written);
      const key = JSON.stringify([place, inclusive]);
      let table = tables.get(key);
      if (!table) {
        if (tables.size >= PLACES_MAX) tables.clear();
        table = new TaxTable(taxRules, place, inclusive);
        tables.set(key, table);
      }
      return table;
    },
  };
};

/** Whether it has ended or expired, and will not be back. */
export const isOver = ({ record }: LoadedRule, nowMs: number): boolean => isFinal(statusAt(record, nowMs));

/** Why a promotion does not apply at this moment, whatever the basket; null where it may. */
export const standstill = ({ record }: LoadedRule, nowMs: number): Obstacle | null => {
  switch (statusAt(record, nowMs)) {
    case 'active':
      return null;
    case 'draft':
      return UNKNOWN_CODE;
    case 'scheduled':
      return NOT_BEGUN;
    case 'paused':
      return PAUSED;
    default:
      return ENDED;
  }
};

const AWAKE_MAX = 10_000;
const LOOK_MS = 5_000;

interface Awake {
  readonly tenant: Tenant;
  readonly rules: Rules;
  /** A change of them was heard of and could not be read. */
  behind: boolean;
}

export class PricingMemory {
  readonly #runtime: Pick<Runtime, 'postgres' | 'log'>;
  readonly #awake = new Map<TenantKey, Awake>();
  readonly #loading = new Map<TenantKey, Promise<Rules>>();
  #looking: ReturnType<typeof setInterval> | null = null;

  constructor(runtime: Pick<Runtime, 'postgres' | 'log'>) {
    this.#runtime = runtime;
  }

  /** At once where the tenant is awake. Without the database what is in memory is the best there is. */
  get(tenant: Tenant): Rules | Promise<Rules> {
    const awake = this.#awake.get(tenantKey(tenant));
    return awake && !(awake.behind && this.#runtime.postgres.available) ? awake.rules : this.#load(tenant);
  }

  /** Something of the tenant's was written. Resolves once it is in. */
  async changed(tenant: Tenant): Promise<void> {
    const key = tenantKey(tenant);
    // One that is being loaded may have read past it.
    await this.#loading.get(key)?.catch(() => {});
    const awake = this.#awake.get(key);
    if (!awake) return;
    try {
      if ((await currentRevision(this.#runtime.postgres.sql, tenant)) > awake.rules.revision) await this.#load(tenant);
    } catch (problem) {
      awake.behind = true;
      throw problem;
    }
  }

  start(): void {
    this.#looking = setInterval(() => void this.look(), LOOK_MS);
    this.#looking.unref();
  }

  stop(): void {
    if (this.#looking) clearInterval(this.#looking);
    this.#awake.clear();
  }

  /** Notices may be lost with the bus; a revision in Postgres is not. */
  readonly look = async (): Promise<void> => {
    const { postgres, log } = this.#runtime;
    if (this.#awake.size === 0 || !postgres.available) return;
    try {
      const tenants = Array.from(this.#awake.values(), ({ tenant }) => tenant);
      const revisions = await currentRevisions(postgres.sql, tenants);
      const behind = revisions.filter(({ tenant, revision }) => {
        const awake = this.#awake.get(tenantKey(tenant));
        return awake && awake.rules.revision < revision;
      });
      await Promise.all(behind.map(({ tenant }) => this.changed(tenant)));
    } catch (problem) {
      log.warn({ err: problem }, 'the revisions of prices could not be compared');
    }
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
      // Read first: what is written meanwhile bears a later one, and is noticed.
      const revision = await currentRevision(sql, tenant);
      const [promotions, rates] =
        revision === 0 ? [[], []] : await Promise.all([allPromotions(sql, tenant), allTaxRates(sql, tenant)]);
      const rules = compile(revision, promotions, rates.map(taxRuleOf));
      if (this.#awake.size >= AWAKE_MAX && !this.#awake.has(key)) {
        this.#awake.delete(this.#awake.keys().next().value!);
      }
      this.#awake.set(key, { tenant, rules, behind: false });
      return rules;
    } catch (problem) {
      throw asFault(problem);
    }
  }
}
