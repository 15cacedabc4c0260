// Prices by rule: promotions, tax rates, and the engine that prices every basket of the house.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { announcer } from './announcement.ts';
import { Customers } from './customer.ts';
import { openExistence } from './existence.ts';
import { PricingMemory } from './memory.ts';
import { directoryHandlers, pricingHandlers } from './rpc/pricing.ts';
import { promotionHandlers } from './rpc/promotion.ts';
import { taxRateHandlers } from './rpc/tax_rate.ts';
import { promotionsDue, startSchedule } from './schedule.ts';
import { Shelves } from './shelf.ts';
import { openShops } from './shop.ts';
import { raiseRevision } from './table/revision.ts';
import { Till } from './till.ts';

export const pricing = (foundation: Foundation): Domain => {
  const { clock, log, notices } = foundation;
  const shops = openShops(foundation);
  const customers = new Customers(foundation);
  const shelves = new Shelves(foundation);
  const memory = new PricingMemory(foundation);
  const till = new Till(foundation, { shops, customers, shelves, memory });
  const exists = openExistence(foundation);
  const announce = announcer(foundation, memory);

  const hear = (notice: Notice): void => {
    const { kind, tenant } = notice;
    if (kind === 'prices' || kind === 'clock')
      memory.changed(tenant).catch((problem) => log.warn({ err: problem }, 'a notice of prices was not followed'));
    else if (kind === 'store') shops.forget(tenant.store);
    else if (kind === 'customers') for (const id of notice.ids) customers.forget(tenant, id);
    else if (kind === 'catalog') shelves.hear(notice);
  };

  const stops: (() => void)[] = [];
  return {
    name: 'pricing',
    services: {
      Pricing: pricingHandlers(till),
      Promotion: promotionHandlers(clock, shops, exists, announce),
      TaxRate: taxRateHandlers(clock, exists, announce),
      PricingDirectory: directoryHandlers(clock, till, shops, shelves),
    },
    due: [promotionsDue],
    reset: {
      tables: {
        'pricing.revision': 'kept',
        'pricing.promotion': 'copied',
        'pricing.tax_rate': 'copied',
        'pricing.promotion_use': 'cleared',
        'pricing.redemption': 'cleared',
      },
      settle: ({ sql }, tenant) => raiseRevision(sql, tenant),
      forget: async (tenant) => {
        customers.forgetAll();
        shelves.doubt();
        await memory.changed(tenant);
      },
    },
    start: async () => {
      stops.push(
        notices.listen(hear),
        notices.pollWhileDisconnected(async () => {
          shelves.doubt();
          await memory.look();
        }),
        startSchedule(foundation, announce),
      );
      memory.start();
    },
    stop: async () => {
      for (const stop of stops) stop();
      memory.stop();
    },
  };
};
