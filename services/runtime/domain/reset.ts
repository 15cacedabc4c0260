// What becomes of a domain's data when a sandbox is reset, as the domain declares it.
import type { Tenant } from '#runtime/call/call.ts';
import type { Transaction } from '#runtime/postgres/database.ts';

/**
 * `cleared`: its rows go. `copied`: they go, and where the catalogue is copied, production's take their place.
 * `replaced`: they stay, unless the catalogue is copied. `kept`: they stay.
 */
export type ResetRule = 'cleared' | 'copied' | 'replaced' | 'kept';

export interface Reset {
  /**
   * Every table of the domain's with rows of tenants, those first that others refer to. Copies bear the ids of what they
   * are copied from: the same product is the same product, and the columns `store` and `environment` say whose.
   */
  readonly tables: Readonly<Record<string, ResetRule>>;
  /** What copies do not take over: SQL of what stands there instead, by table and column. */
  readonly instead?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Before, while no call is in: what was set going by those who were ends, or is told never to. */
  readonly quiet?: (tenant: Tenant) => Promise<void>;
  /** In the same transaction, once the rows are what they will be. */
  readonly settle?: (tx: Transaction, tenant: Tenant, copied: boolean) => Promise<void>;
  /** Before, on every host: what was told here and is not written yet never will be. */
  readonly unhear?: (tenant: Tenant) => void;
  /** Afterwards, on every host: whatever it remembers of the tenant counts for nothing. */
  readonly forget?: (tenant: Tenant) => Promise<void> | void;
}
