// Pricing: promotions, tax rates, and the engine that prices every basket.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { readTaxRate } from '#services/pricing/rpc/tax_rate.ts';
import { BasketPricer, openPricingStores } from './basket_pricer.ts';
import { CustomerCache } from './customer.ts';
import { promotionsDue } from './promotion_event.ts';
import { openReferenceCheck } from './reference_check.ts';
import { directoryHandlers, pricingHandlers } from './rpc/pricing.ts';
import { promotionHandlers } from './rpc/promotion.ts';
import { taxRateHandlers } from './rpc/tax_rate.ts';
import { announcer, RuleCache } from './rule_cache.ts';
import { pricingErasures } from './table/erasure.ts';
import { raiseRevision } from './table/promotion.ts';
import { VariantCache } from './variant_cache.ts';

export const pricing = (runtime: Runtime): Domain => {
  const { clock, notices } = runtime;
  const stores = openPricingStores(runtime);
  const customers = new CustomerCache(runtime);
  const variants = new VariantCache(runtime);
  const ruleCache = new RuleCache(runtime);
  const pricer = new BasketPricer(runtime, { stores, customers, variants, ruleCache });
  const references = openReferenceCheck(runtime);
  const announce = announcer(runtime, ruleCache);

  const followRules = ({ tenant }: Notice): Promise<void> => ruleCache.follow(tenant);
  let stopPolling = (): void => {};
  return {
    name: 'pricing',
    services: {
      Pricing: pricingHandlers(pricer),
      Promotion: promotionHandlers(clock, stores, references, announce),
      TaxRate: taxRateHandlers(clock, references, announce),
      PricingDirectory: directoryHandlers(clock, pricer, stores, variants),
    },
    due: [promotionsDue(announce)],
    records: { tax_rate: readTaxRate },
    erasures: pricingErasures,
    reset: {
      tables: {
        'pricing.revision': 'retained',
        'pricing.promotion': 'copied',
        'pricing.tax_rate': 'copied',
        'pricing.promotion_use': 'cleared',
        'pricing.redemption': 'cleared',
        'pricing.redemption_identity': 'cleared',
      },
      settle: ({ sql }, tenant) => raiseRevision(sql, tenant),
      forget: async (tenant) => {
        customers.forgetAll();
        variants.expireAll();
        await ruleCache.follow(tenant);
      },
    },
    onNotice: {
      prices: followRules,
      clock: followRules,
      store: ({ tenant }) => stores.forget(tenant.store),
      customers: ({ tenant, ids }) => {
        for (const id of ids ?? []) customers.forget(tenant, id);
      },
      catalog: (notice) => variants.applyNotice(notice),
    },
    start: async () => {
      stopPolling = notices.pollWhileDisconnected(() => variants.expireAll());
      ruleCache.start(notices);
    },
    stop: async () => {
      stopPolling();
      ruleCache.stop();
    },
  };
};
