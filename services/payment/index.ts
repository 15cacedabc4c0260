// Payments and the value that customers hold with a store, as the host sees them.
import type { Foundation } from '#runtime/foundation.ts';
import type { Domain } from '#runtime/rpc.ts';
import { startExpiry } from './expiry.ts';
import { ledgerAdminHandlers } from './ledger_admin.ts';
import { giftCardDirectoryHandlers, valueHandlers } from './value.ts';

export const payment = (foundation: Foundation): Domain => {
  const stops: (() => void)[] = [];
  return {
    name: 'payment',
    services: {
      Value: valueHandlers(foundation),
      GiftCardDirectory: giftCardDirectoryHandlers(foundation),
      LedgerAdmin: ledgerAdminHandlers,
    },
    start: async () => {
      stops.push(startExpiry(foundation));
    },
    stop: async () => {
      for (const stop of stops) stop();
    },
  };
};
