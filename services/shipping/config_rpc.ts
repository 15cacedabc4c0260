// Handles the rpcs of the shipping configuration: one document, replaced as a whole.
import type { ShippingRpcs } from '#proto/gen/shipping.ts';
import type { PutConfigRequest } from '#proto/gen/shipping_config.ts';
import { type Call, type Dependency, Refusal, Rendered, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { inTimeSlices } from '#runtime/flow/slice.ts';
import { madeFrom } from '#services/commerce/dependency.ts';
import { NEVER_CHANGED, refuseOutdated } from '#services/commerce/record_version.ts';
import { categoriesIn, NO_CONFIG, parseConfig, type StoredConfig, translationsIn } from './config.ts';
import type { ShippingStores } from './pool.ts';
import { findConfig, findConfigText, findConfigTime, saveConfig } from './table/config.ts';

/** Interval of statements during long parsing, because Postgres ends a transaction that is idle for too long. */
const HEARTBEAT_MS = 1_500;

const encoder = new TextEncoder();
const NO_CONFIG_TEXT = encoder.encode(JSON.stringify(NO_CONFIG));

/** Puts the time of the last change at the end of a stored document. */
const rendered = (text: Uint8Array, updatedAt: Date, changes: readonly Dependency[] = []): Rendered => {
  const end = encoder.encode(`,"updated_at":"${updatedAt.toISOString()}"}`);
  const whole = new Uint8Array(text.length - 1 + end.length);
  whole.set(text.subarray(0, -1));
  whole.set(end, text.length - 1);
  return new Rendered(whole, changes);
};

const referencableCategories = async (
  ask: Runtime['ask'],
  { tenant, deadline, requestId, trace, revisionMin }: Call,
  input: PutConfigRequest,
  config: StoredConfig | null,
): Promise<ReadonlySet<string>> => {
  if (categoriesIn(input).length === 0) return new Set();
  const options = { deadline, requestId, trace, revisionMin };
  const reply = await ask('Category/ListCategories', tenant, {}, options);
  if (reply instanceof Refusal) throw new Unavailable('The catalogue could not return its categories.');
  const there = reply.categories.flatMap(({ id, subcategories }) => [id, ...subcategories.map((sub) => sub.id)]);
  // Includes the categories of the stored configuration, so that references to deleted categories remain valid.
  return new Set([...there, ...(config ? categoriesIn(config) : [])]);
};

export interface ConfigServices {
  readonly stores: ShippingStores;
  /** Drops the tenant's engines and copies of responses on all hosts; call this after commit. */
  readonly announceChange: (tenant: Tenant, revision: number) => void;
}

export const configHandlers = (
  { ask, clock }: Pick<Runtime, 'ask' | 'clock'>,
  { stores, announceChange }: ConfigServices,
): Pick<Handlers<ShippingRpcs>, 'GetConfig' | 'PutConfig'> => ({
  GetConfig: query(async (sql, { tenant }) => {
    const found = await findConfigText(sql, tenant);
    return rendered(found?.text ?? NO_CONFIG_TEXT, found?.updatedAt ?? NEVER_CHANGED);
  }),

  PutConfig: transaction(async (tx, call, { version, ...input }) => {
    const outdated = async () => {
      const updatedAt = await findConfigTime(tx.sql, call.tenant);
      return refuseOutdated('shipping configuration', { updated_at: updatedAt ?? NEVER_CHANGED }, version);
    };
    // Asked before the configuration is parsed, which may take long, and again when it is saved.
    const early = version === undefined ? null : await outdated();
    if (early) return early;
    const { currency, languages } = await stores.get(call.tenant);
    const isReferring = categoriesIn(input).length > 0 || Object.keys(translationsIn(input)).length > 0;
    const stored = isReferring ? (await findConfig(tx.sql, call.tenant)).config : null;
    const categories = await referencableCategories(ask, call, input, stored);
    const former = stored ? translationsIn(stored) : {};
    const config = await inTimeSlices(parseConfig(input, { currency, categories, languages, former }), {
      everyMs: HEARTBEAT_MS,
      run: () => tx.sql`select 1`,
    });
    if (config instanceof Refusal) return config;
    const text = encoder.encode(JSON.stringify(config));
    const base = version === undefined ? null : new Date(version);
    const saved = await saveConfig(tx.sql, call.tenant, { text, now: clock.now(call.tenant), version: base });
    if (saved === null) {
      const late = await outdated();
      if (late) return late;
      throw new Unavailable('The shipping configuration was deleted while it was saved.');
    }
    tx.afterCommit(() => announceChange(call.tenant, saved.revision));
    return rendered(text, saved.updatedAt, madeFrom('shipping', saved.revision));
  }),
});
