// Prices by rule: promotions, tax rates, and the engine that prices every basket of the house.

import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { announcer } from './announcement.ts';
import { BasketPricer } from './basket_pricer.ts';
import { Customers } from './customer.ts';
import { openExistence } from './existence.ts';
import { PricingMemory } from './memory.ts';
import { directoryHandlers, pricingHandlers } from './rpc/pricing.ts';
import { promotionHandlers } from './rpc/promotion.ts';
import { taxRateHandlers } from './rpc/tax_rate.ts';
import { promotionsDue, startSchedule } from './schedule.ts';
import { openShops } from './shop.ts';
import { raiseRevision } from './table/revision.ts';
import { VariantCache } from './variant_cache.ts';

export const pricing = (runtime: Runtime): Domain => {
  const { clock, log, notices } = runtime;
  const shops = openShops(runtime);
  const customers = new Customers(runtime);
  const variants = new VariantCache(runtime);
  const memory = new PricingMemory(runtime);
  const pricer = new BasketPricer(runtime, { shops, customers, variants, memory });
  const exists = openExistence(runtime);
  const announce = announcer(runtime, memory);

  const hear = (notice: Notice): void => {
    const { kind, tenant } = notice;
    if (kind === 'prices' || kind === 'clock')
      memory.changed(tenant).catch((problem) => log.warn({ err: problem }, 'a notice of prices was not followed'));
    else if (kind === 'store') shops.forget(tenant.store);
    else if (kind === 'customers') for (const id of notice.ids ?? []) customers.forget(tenant, id);
    else if (kind === 'catalog') variants.hear(notice);
  };

  const stops: (() => void)[] = [];
  return {
    name: 'pricing',
    services: {
      Pricing: pricingHandlers(pricer),
      Promotion: promotionHandlers(clock, shops, exists, announce),
      TaxRate: taxRateHandlers(clock, exists, announce),
      PricingDirectory: directoryHandlers(clock, pricer, shops, variants),
    },
    due: [promotionsDue],
    reset: {
      tables: {
        'pricing.revision': 'kept',
        'pricing.promotion': 'copied',
        'pricing.tax_rate': 'copied',
        'pricing.promotion_use': 'cleared',
        'pricing.redemption': 'cleared',
        'pricing.redemption_identity': 'cleared',
      },
      settle: ({ sql }, tenant) => raiseRevision(sql, tenant),
      forget: async (tenant) => {
        customers.forgetAll();
        variants.doubt();
        await memory.changed(tenant);
      },
    },
    start: async () => {
      stops.push(
        notices.listen(hear),
        notices.pollWhileDisconnected(async () => {
          variants.doubt();
          await memory.look();
        }),
        startSchedule(runtime, announce),
      );
      memory.start();
    },
    stop: async () => {
      for (const stop of stops) stop();
      memory.stop();
    },
  };
};
