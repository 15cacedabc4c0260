// The payment domain: payments, gift cards and store credit.
import type { LedgerAdminRpcs } from '#proto/gen/value.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import { type Domain, type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import { connectOutbound } from '#runtime/outbound/outbound.ts';
import type { SealedColumn } from '#runtime/postgres/reseal.ts';
import { isBalanced, SEALED as LEDGER_SEALED, ledgerTenants, trialBalance } from '#services/ledger/index.ts';
import { openAuthorizations } from './authorization.ts';
import { captureHandlers } from './capture.ts';
import { checkoutPaymentHandler } from './checkout.ts';
import { openGateway } from './gateway.ts';
import { initializeHandler } from './initialize.ts';
import { checkoutListHandlers, listHandlers } from './list.ts';
import { pollingJob } from './poll.ts';
import { openAdapters } from './provider/directory.ts';
import { operatorProviderHandlers, providerHandlers, readProvider } from './provider_rpc.ts';
import { startCancellationReactor, startRefundReactor } from './reactor.ts';
import { openRefunds } from './refund.ts';
import { paymentHandlers } from './rpc.ts';
import { openSettlement } from './settlement.ts';
import { simulatorHandlers } from './simulation.ts';
import { openPaymentStarter } from './starter.ts';
import { openSuperseding } from './supersede.ts';
import { cardsDue, paymentsDue, startSweep } from './sweep.ts';
import { paymentErasures } from './table/erasure.ts';
import { credentialsContext } from './table/provider.ts';
import { forgetTokens } from './table/token.ts';
import { tokenHandlers } from './token_rpc.ts';
import { cardReader, giftCardDirectoryHandlers, valueHandlers } from './value.ts';

export const SEALED: readonly SealedColumn[] = [
  { table: 'payment.provider', column: 'credentials', id: 'id', context: credentialsContext },
];

export const RETENTION: readonly RetentionRule[] = [
  { what: 'payment tokens that ended', days: 30, forget: forgetTokens },
];

const ledgerAdminHandlers = ({ ask }: Pick<Runtime, 'ask'>): Handlers<LedgerAdminRpcs> => ({
  GetTrialBalance: query(async (sql, { tenant }, { store }) => {
    if (store) {
      const known = await ask('StoreDirectory/GetProfile', tenant, { store });
      // Without this check an unknown store would get an empty, thus balanced, ledger.
      if (known instanceof Refusal) return known.code === 'not_found' ? notFound('store', 'store') : known;
    }
    const books = [];
    for (const each of await ledgerTenants(sql, store || null)) books.push(...(await trialBalance(sql, each)));
    const lines = books.map(({ tenant: of, ...line }) => ({ ...of, ...line }));
    return { balanced: books.every(isBalanced), lines };
  }),
});

export const payment = (runtime: Runtime): Domain => {
  const { allowLocal, providerUrls } = runtime.settings;
  const adapters = openAdapters(providerUrls, connectOutbound({ allowLocal, resolve: runtime.resolve }), () =>
    runtime.clock.real(),
  );
  const gateway = openGateway(runtime, adapters);
  const settlement = openSettlement(runtime);
  const authorizations = openAuthorizations(runtime, gateway, settlement);
  const refunds = openRefunds(runtime, gateway, settlement);
  const superseding = openSuperseding(runtime, gateway, settlement);
  const starter = openPaymentStarter(runtime, adapters, gateway, superseding);
  const providers = providerHandlers(runtime, adapters, allowLocal);
  const stops: (() => Promise<void> | void)[] = [];
  return {
    name: 'payment',
    retention: RETENTION,
    sealedColumns: [...SEALED, ...LEDGER_SEALED],
    services: {
      Payment: {
        ...providers,
        ...listHandlers,
        ...paymentHandlers(runtime, gateway, settlement, refunds),
        ...captureHandlers(authorizations),
        InitializePayment: initializeHandler(runtime, starter),
      },
      CheckoutPayment: {
        ...operatorProviderHandlers(providers),
        PayCheckout: checkoutPaymentHandler(runtime, starter),
        ...checkoutListHandlers(runtime),
      },
      PaymentToken: tokenHandlers(runtime, starter, gateway, settlement),
      PaymentSimulator: simulatorHandlers(runtime, adapters, settlement),
      PaymentDirectory: refunds.handlers,
      Value: valueHandlers(runtime),
      GiftCardDirectory: giftCardDirectoryHandlers(runtime),
      LedgerAdmin: ledgerAdminHandlers(runtime),
    },
    due: [cardsDue, paymentsDue(settlement)],
    jobs: [pollingJob(runtime, gateway, settlement, authorizations), refunds.job],
    records: { gift_card: cardReader(runtime), payment_provider: readProvider },
    erasures: paymentErasures,
    personalRecords: ['gift_card', 'payment'],
    reset: {
      tables: {
        'payment.provider': 'retained',
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
        startSweep(runtime, settlement),
        startRefundReactor(runtime, refunds).stop,
        startCancellationReactor(runtime, superseding, authorizations).stop,
      );
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};
