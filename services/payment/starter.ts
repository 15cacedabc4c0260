// Starts payments: claims a payment, opens it at its provider without holding a connection to Postgres, then writes the
// answer in one transaction. After a crash the claim expires, and a retry opens the same payment under the same
// reference.
import { randomBytes } from 'node:crypto';
import type { InitializePaymentResponse, PaymentMethod } from '#proto/gen/payment.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, invalid, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { keyStatesOf } from '#runtime/postgres/idempotency.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { derivedId } from '#runtime/process/derived_id.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { isCancelledOrder, lockPayments } from '#services/ledger/index.ts';
import type { Gateway } from './gateway.ts';
import type { PaymentRecord } from './payment.ts';
import { FIRST_POLL_MS } from './poll.ts';
import type { Adapters } from './provider/directory.ts';
import { isBuiltIn, type OpenedSession, type PaymentOpening, type ProviderAdapter } from './provider/provider.ts';
import type { RequestedAmount } from './requirement.ts';
import type { PaidOrder } from './share.ts';
import type { Superseding } from './supersede.ts';
import { claimPayment, findAuthorized, insertPayment, openPayment, releaseOpening } from './table/payment.ts';
import { accountOf, findConnected, type PaymentProviderRecord } from './table/provider.ts';

/** Exceeds every provider's time-out, so that a claim never expires during a call. */
const CLAIM_MS = 15_000;
const CLAIM_SIMULATED_MS = 1_000;
/**
 * Payments that one idempotency key may start: a retry starts another if the provider refused, or if the stored answer
 * has expired.
 */
const PAYMENTS_PER_KEY_MAX = 16;
const REFERENCE_BYTES = 18;

const CANCELLED = refuse('conflict', 'The order is cancelled and takes no payment.', {
  param: 'order_id',
});

const AUTHORIZED = refuse('conflict', 'A payment of the order is authorised already.', {
  param: 'order_id',
  hint: 'Capture or void it at POST /v1/payments/{reference}/capture or /void.',
});

const STARTED_MEANWHILE = refuse('conflict', 'Another request started this payment meanwhile. Retry the request.', {
  retryAfterS: 1,
});

/** Whether another request with the call's key has stored its answer since this one looked for it. */
const isAnswered = async (sql: Sql, call: Call, now: Date): Promise<boolean> => {
  if (!call.idempotency) return false;
  const [state] = await keyStatesOf(sql, [{ call, now }]);
  return state !== 'new';
};

const notConnected = (name: string): Refusal =>
  invalid('provider', `The payment provider \`${name}\` is not connected.`);

/** Returns null for a built-in provider that the sandbox simulates. */
const simulatedProvider = ({ environment }: Tenant, name: string): null | Refusal => {
  if (!isBuiltIn(name)) return invalid('provider', `\`${name}\` is no payment provider of this store.`);
  return environment === 'sandbox' ? null : notConnected(name);
};

const orderObstacle = async (
  tx: Transaction,
  tenant: Tenant,
  { id, order_id }: PaymentRecord,
): Promise<Refusal | null> => {
  if (order_id === null) return null;
  if (await isCancelledOrder(tx.sql, tenant, order_id)) return CANCELLED;
  const other = await findAuthorized(tx.sql, tenant, order_id);
  return other !== null && other.id !== id ? AUTHORIZED : null;
};

export const newReference = (): string =>
  `pay_${randomBytes(REFERENCE_BYTES).toString('base64url').replace(/[-_]/g, 'x')}`;

export interface PaymentRequest
  extends Pick<PaymentRecord, 'order_id' | 'order_number' | 'checkout_group_id' | 'shares' | 'metadata' | 'books'> {
  readonly provider: string;
  readonly account: PaymentProviderRecord | null;
  readonly requested: RequestedAmount;
  readonly capture: PaymentRecord['capture'];
  readonly isElement: boolean;
  readonly email: string | null;
  readonly phone: string | null;
  readonly country: string | null;
  readonly successUrl: string | null;
  readonly cancelUrl: string | null;
  readonly callbackUrl: string | null;
  readonly failedOrders: readonly PaidOrder[];
}

export interface StartedPayment {
  readonly payment: PaymentRecord;
  readonly opened: OpenedSession;
  readonly failedOrders: readonly PaidOrder[];
}

export type ElementOffer = PaymentMethod['element'];

const typeOf = (adapters: Adapters, { provider, account, isElement }: PaymentRequest): PaymentRecord['type'] => {
  if (isElement) return 'element';
  return account?.custom ? 'redirect' : adapters.of(provider, false).type;
};

export interface PaymentStarter {
  providerFor(tenant: Tenant, name: string): Promise<PaymentProviderRecord | null | Refusal>;
  /** Returns what the provider offers, in the simulator as at the provider itself. */
  adapterOf(
    name: string,
    account: PaymentProviderRecord | null,
  ): Pick<ProviderAdapter, 'authorizations' | 'currencies'>;
  /** Library of the provider's card fields; a refusal names the credential that they lack. Null where it has none. */
  elementOf(tenant: Tenant, name: string, account: PaymentProviderRecord | null): ElementOffer | Refusal;
  start(call: Call, request: PaymentRequest): Promise<StartedPayment | Refusal>;
  answer(tx: Transaction, tenant: Tenant, started: StartedPayment): Promise<InitializePaymentResponse | Refusal>;
  releaseClaim(tenant: Tenant, started: StartedPayment): Promise<void>;
}

const startedDocument = (
  { environment }: Tenant,
  { provider, type, reference }: PaymentRecord,
  { checkoutUrl, sessionId, expiresAt, element }: OpenedSession,
): InitializePaymentResponse => ({
  success: true,
  provider,
  type,
  reference,
  checkout_url: checkoutUrl,
  session_id: sessionId,
  environment,
  expires_at: expiresAt.toISOString(),
  element: element
    ? {
        provider: element.provider,
        client_secret: element.clientSecret,
        publishable_key: element.publishableKey,
        script_url: element.scriptUrl,
      }
    : null,
});

/** `base` is the public URL of this service. */
const openingOf = (
  tenant: Tenant,
  request: PaymentRequest,
  payment: PaymentRecord,
  base: string,
  now: Date,
): PaymentOpening => ({
  id: payment.id,
  reference: payment.reference,
  provider: payment.provider,
  amount: payment.amount,
  currency: request.requested.currency,
  isManual: payment.capture === 'manual',
  isElement: payment.type === 'element',
  email: request.email,
  phone: request.phone,
  country: request.country,
  orderId: payment.order_id,
  orderNumber: payment.order_number,
  metadata: payment.metadata,
  successUrl: payment.success_url,
  cancelUrl: payment.cancel_url,
  callbackUrl: request.callbackUrl,
  baseUrl: base,
  reportUrl: `${base}/v1/payments/callbacks/${payment.provider}/${tenant.store}/${tenant.environment}`,
  now,
});

const elementOffer = (
  adapters: Adapters,
  seal: Seal,
  tenant: Tenant,
  name: string,
  account: PaymentProviderRecord | null,
): ElementOffer | Refusal => {
  const { element } = adapters.of(name, account?.custom ?? false);
  if (!element) return null;
  if (account === null) return 'simulator';
  const { library, credential } = element;
  if (accountOf(seal, tenant, account).credentials[credential]) return library;
  return invalid(
    'presentation',
    `\`${name}\` is connected without \`credentials.${credential}\`. Connect it again with it, or leave \`presentation\` out.`,
  );
};

export const openPaymentStarter = (
  { postgres, clock, ask, log, settings, seal }: Runtime,
  adapters: Adapters,
  gateway: Gateway,
  superseding: Superseding,
): PaymentStarter => {
  /** Creates the payment of this call, or takes over the claim of an interrupted try. */
  const claim = async (call: Call, request: PaymentRequest): Promise<PaymentRecord | Refusal> => {
    const { tenant } = call;
    const { provider, account, requested } = request;
    const command = commandIdOf(call);
    const now = new Date(clock.real());
    const until = new Date(clock.real() + (account === null ? CLAIM_SIMULATED_MS : CLAIM_MS));
    for (let count = 1; count <= PAYMENTS_PER_KEY_MAX; count++) {
      const id = derivedId('payment', command, `${count}`);
      const made = await insertPayment(
        postgres.sql,
        tenant,
        {
          id,
          reference: newReference(),
          provider,
          account: account?.id ?? null,
          type: typeOf(adapters, request),
          currency: requested.currency.code,
          amount: requested.amount,
          capture: request.capture,
          order_id: request.order_id,
          order_number: request.order_number,
          phone: provider === 'mobile_money' ? request.phone : null,
          metadata: request.metadata,
          success_url: request.successUrl,
          cancel_url: request.cancelUrl,
          checkout_group_id: request.checkout_group_id,
          shares: request.shares,
          books: request.books,
          created_at: clock.now(tenant),
        },
        until,
      );
      if (made !== null) return made;
      const before = await claimPayment(postgres.sql, tenant, id, now, until);
      if (before === null)
        return refuse('conflict', 'A request with this Idempotency-Key is still running.', { retryAfterS: 1 });
      if (before.session_id === null && before.status !== 'refused') return before;
      if (before.session_id !== null && (await isAnswered(postgres.sql, call, clock.now(tenant))))
        return STARTED_MEANWHILE;
    }
    return refuse(
      'conflict',
      `${PAYMENTS_PER_KEY_MAX} payments were started with this Idempotency-Key. Use a new key.`,
    );
  };

  const open = async (
    call: Call,
    request: PaymentRequest,
    payment: PaymentRecord,
  ): Promise<OpenedSession | Refusal> => {
    const { tenant } = call;
    try {
      return await gateway.open(
        call,
        request.account,
        openingOf(tenant, request, payment, settings.publicUrl, clock.now(tenant)),
      );
    } catch (problem) {
      // The outcome is unknown, so the payment stays open: a retry uses its reference.
      await releaseOpening(postgres.sql, tenant, payment.id, false).catch(() => {});
      throw problem;
    }
  };

  const resetFailedOrder = async ({ tenant, order }: PaidOrder): Promise<void> => {
    const noted = await ask('OrderDirectory/NotePayment', tenant, { order_id: order, status: 'pending' });
    if (noted instanceof Refusal) log.warn({ order_id: order }, 'failed to notify an order of its new payment');
  };

  return {
    providerFor: async (tenant, name) =>
      (await findConnected(postgres.sql, tenant, name)) ?? simulatedProvider(tenant, name),

    adapterOf: (name, account) => adapters.of(name, account?.custom ?? false),

    elementOf: (tenant, name, account) => elementOffer(adapters, seal, tenant, name, account),

    start: async (call, request) => {
      const payment = await claim(call, request);
      if (payment instanceof Refusal) return payment;
      const opened = await open(call, request, payment);
      if (opened instanceof Refusal) {
        await releaseOpening(postgres.sql, call.tenant, payment.id, true);
        return opened;
      }
      failpoint('provider', call.tenant.store);
      return { payment, opened, failedOrders: request.failedOrders };
    },

    answer: async (tx, tenant, { payment, opened, failedOrders }) => {
      // Locks the order or checkout, so that of two payments started at once the second ends the first.
      const paidFor = payment.order_id ?? payment.checkout_group_id;
      if (paidFor !== null) await lockPayments(tx, tenant, paidFor);
      const obstacle = await orderObstacle(tx, tenant, payment);
      if (obstacle) return obstacle;
      const started = await openPayment(tx.sql, tenant, payment.id, opened, new Date(clock.real() + FIRST_POLL_MS));
      if (started === null) return STARTED_MEANWHILE;
      await superseding.replace(tx, tenant, started);
      for (const order of failedOrders) tx.afterCommit(() => resetFailedOrder(order));
      return startedDocument(tenant, started, opened);
    },

    releaseClaim: (tenant, { payment }) => releaseOpening(postgres.sql, tenant, payment.id, false),
  };
};
