// How a committed change of promotions or tax rates gets around: into this process' memory before its writer is answered,
// and over the bus to other hosts.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { PricingMemory } from './memory.ts';

export type AnnouncePrices = (tx: Transaction, tenant: Tenant) => void;

export const announcer =
  ({ notices, log }: Pick<Runtime, 'notices' | 'log'>, memory: PricingMemory): AnnouncePrices =>
  (tx, tenant) =>
    tx.afterCommit(async () => {
      await memory.changed(tenant).catch((problem) => {
        log.warn({ err: problem }, 'a change of prices was not taken in; it will be at the next look');
      });
      notices.publish({ kind: 'prices', tenant });
    });
