// Payments and the value that customers hold with a store, as the host sees them.
import type { Foundation } from '#runtime/door/foundation.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import { SEALED as LEDGER_SEALED } from '#services/ledger/index.ts';
import { openBeginning } from './beginning.ts';
import { checkoutPaymentHandler } from './checkout.ts';
import { cardsDue } from './expiry.ts';
import { openGateway } from './gateway.ts';
import { initializeHandler } from './initialize.ts';
import { ledgerAdminHandlers } from './ledger_admin.ts';
import { listHandlers } from './list.ts';
import { openAdapters } from './provider/directory.ts';
import { operatorProviderHandlers, providerHandlers } from './provider_rpc.ts';
import { startCancellationReactor, startRefundReactor } from './reactor.ts';
import { openRefunds } from './refund.ts';
import { RETENTION } from './retention.ts';
import { paymentHandlers } from './rpc.ts';
import { SEALED } from './sealed.ts';
import { openSettlement } from './settlement.ts';
import { simulatorHandlers } from './simulation.ts';
import { openSuperseding } from './supersede.ts';
import { paymentsDue, startSweep } from './sweep.ts';
import { tokenHandlers } from './token_rpc.ts';
import { giftCardDirectoryHandlers, valueHandlers } from './value.ts';

export const payment = (foundation: Foundation): Domain => {
  const { allowLocal, providerUrls } = foundation.settings;
  const adapters = openAdapters(providerUrls, connectOutbound({ allowLocal, resolve: foundation.resolve }), () =>
    foundation.clock.real(),
  );
  const gateway = openGateway(foundation, adapters);
  const settlement = openSettlement(foundation);
  const refunds = openRefunds(foundation, gateway, settlement);
  const superseding = openSuperseding(foundation, gateway, settlement);
  const beginning = openBeginning(foundation, adapters, gateway, superseding);
  const providers = providerHandlers(foundation, adapters, allowLocal);
  const stops: (() => Promise<void> | void)[] = [];
  return {
    name: 'payment',
    retention: RETENTION,
    sealed: [...SEALED, ...LEDGER_SEALED],
    services: {
      Payment: {
        ...providers,
        ...listHandlers,
        ...paymentHandlers(foundation, gateway, settlement, refunds),
        InitializePayment: initializeHandler(foundation, beginning),
      },
      CheckoutPayment: {
        ...operatorProviderHandlers(providers),
        PayCheckout: checkoutPaymentHandler(foundation, beginning),
      },
      PaymentToken: tokenHandlers(foundation, beginning, gateway, settlement),
      PaymentSimulator: simulatorHandlers(foundation, adapters, settlement),
      PaymentDirectory: refunds.handlers,
      Value: valueHandlers(foundation),
      GiftCardDirectory: giftCardDirectoryHandlers(foundation),
      LedgerAdmin: ledgerAdminHandlers(foundation),
    },
    due: [cardsDue, paymentsDue(foundation, settlement)],
    reset: {
      tables: {
        'payment.provider': 'kept',
        'payment.payment': 'cleared',
        'payment.refund': 'cleared',
        'payment.token': 'cleared',
        'ledger.gift_card': 'cleared',
        'ledger.account': 'cleared',
        'ledger.posting': 'cleared',
        'ledger.entry': 'cleared',
      },
    },
    start: async () => {
      stops.push(
        startSweep(foundation, gateway, settlement, refunds),
        startRefundReactor(foundation, refunds).stop,
        startCancellationReactor(foundation, superseding).stop,
      );
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};
