// Prepares an order for the transaction that places it: the first two of these steps.
// 1. Queries return prices and delivery.
// 2. Stock actors hold every line (reservation.ts). An order of a checkout intent instead uses the intent's hold.
// 3. One transaction places the order (placement.ts): writes the decision, gift card and credit payments, stock levels,
//    promotion uses, order, events and answer.
// 4. The hold is committed at once, or by an inbox after a crash (follow_up.ts).
//
// After a crash before step 3, a retry under the same idempotency key reuses the hold, or the hold expires. After step 3 the
// order stays placed.
import type { CreateOrderRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { type Call, invalid, Refusal, refuse } from '#runtime/call/call.ts';
import { badAddress, unsendable } from '#services/commerce/address.ts';
import { excessiveTotal, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { type Currency, parseCurrency } from '#values/currency.ts';
import { MAJOR_MAX } from '#values/money.ts';
import { lookUpLines, pricedLines } from './basket.ts';
import type { OrderClients } from './client.ts';
import type { Costs } from './cost.ts';
import type { OrderNumbers } from './number.ts';
import type { LineRecord } from './order.ts';
import type { ChosenDelivery, OrderOrigin } from './origin.ts';
import type { ReserveStock } from './reservation.ts';

export interface OrderDraft {
  readonly origin: OrderOrigin;
  readonly storeProfile: GetProfileResponse;
  readonly currency: Currency;
  readonly customer: string | null;
  readonly email: string;
  /** E-mail addresses of the customer's account and of the order: both count for limits per customer. */
  readonly emails: readonly string[];
  readonly shippingAddress: AddressInput | null;
  readonly billingAddress: AddressInput | null;
  readonly delivery: ChosenDelivery | null;
  readonly priced: PriceBasketResponse;
  readonly lines: readonly LineRecord[];
}

export interface PreparedOrder extends OrderDraft {
  readonly attempt: string;
  /** Id of the call that owns a share of the hold; null if the hold belongs to a checkout intent. */
  readonly holder: string | null;
  readonly number: number;
}

/**
 * Releases this call's share of the hold; the hold ends when no call has a share. Does nothing for a checkout intent,
 * which keeps its hold until it closes.
 */
export const releaseStock = async (
  { releaseHold }: Pick<OrderClients, 'releaseHold'>,
  call: Pick<Call, 'tenant'>,
  { attempt: hold, holder, lines }: PreparedOrder,
): Promise<void> => {
  if (holder !== null) await releaseHold(call, { hold, holder, variants: lines.map(({ variant_id }) => variant_id) });
};

export interface PreparationParts {
  readonly clients: OrderClients;
  readonly numbers: OrderNumbers;
  readonly costs: Costs;
  readonly reserveStock: ReserveStock;
}

export interface OrderPreparation {
  draft(call: Call, input: CreateOrderRequest, origin: OrderOrigin): Promise<OrderDraft | Refusal>;
  /** Holds the stock of a draft. Retries must pass the same `commandId`. */
  reserve(call: Call, commandId: string, draft: OrderDraft): Promise<PreparedOrder | Refusal>;
  prepare(call: Call, input: CreateOrderRequest, origin: OrderOrigin): Promise<PreparedOrder | Refusal>;
}

/** Returns the order's currency; a cart of a currency that the store no longer has is ordered in the store's. */
const chosenCurrency = (
  { kind, currency }: OrderOrigin,
  { currency: own, currencies }: Pick<GetProfileResponse, 'currency' | 'currencies'>,
): string =>
  currency !== null && (kind !== 'cart' || currencies.some((each) => each.currency === currency)) ? currency : own;

const otherCurrency = (kind: OrderOrigin['kind'], code: string): Refusal =>
  invalid('currency', `The ${kind} is in ${code}. Send that \`currency\`, or none.`);

const unexpectedTotal = (
  expected: number | null | undefined,
  { total, currency }: PriceBasketResponse,
): Refusal | null =>
  expected == null || expected === total
    ? null
    : refuse(
        'amount_mismatch',
        `The order costs ${total} ${currency}, not ${expected}. Confirm the new total with the buyer.`,
        { param: 'expected_total', details: `${total} ${currency} is due` },
      );

export const openPreparation = ({ clients, numbers, costs, reserveStock }: PreparationParts): OrderPreparation => {
  const buyerOf = async (
    call: Call,
    customerId: string | null,
    email: string | null,
  ): Promise<Pick<PreparedOrder, 'customer' | 'email' | 'emails'> | Refusal> => {
    if (customerId === null)
      return email === null
        ? refuse('invalid_request', 'Send `email` or `customer_id`.', { param: 'email' })
        : { customer: null, email, emails: [email] };
    const found = await clients.findCustomer(call, customerId);
    if (found instanceof Refusal) return found;
    const named = email ?? found.email;
    return { customer: found.id, email: named, emails: [named, found.email] };
  };

  const draft = async (call: Call, input: CreateOrderRequest, origin: OrderOrigin): Promise<OrderDraft | Refusal> => {
    const nowhere = unsendable(input.shipping_address) ?? badAddress(input.billing_address, 'billing_address');
    if (nowhere) return nowhere;
    const customerId = origin.customer ?? input.customer_id?.toLowerCase() ?? null;
    const buyer = await buyerOf(call, customerId, input.email ?? origin.email);
    if (buyer instanceof Refusal) return buyer;
    const [storeProfile, found] = await Promise.all([
      clients.storeProfile(call),
      lookUpLines(clients, call, origin.requested),
    ]);
    if (found instanceof Refusal) return found;
    // Promised prices keep their currency, even if the store's currency has changed since.
    const code = origin.promised?.priced.currency ?? chosenCurrency(origin, storeProfile);
    const currency = parseCurrency(code);
    if (currency === null) return unknownCurrency(code);
    if (input.currency && parseCurrency(input.currency) !== currency) return otherCurrency(origin.kind, currency.code);
    const cost =
      origin.promised ??
      (await costs(call, input, {
        origin,
        customer: buyer.customer,
        email: buyer.email,
        needsShipping: found.needsShipping,
        currency,
      }));
    if (cost instanceof Refusal) return cost;
    const unexpected = unexpectedTotal(input.expected_total, cost.priced);
    if (unexpected) return unexpected;
    if (cost.priced.total > MAJOR_MAX)
      return excessiveTotal(cost.priced.total, origin.kind === 'items' ? 'items' : undefined);
    const shippingAddress = origin.shippingAddress ?? input.shipping_address ?? null;
    const sent = found.needsShipping && !cost.delivery?.optionId?.startsWith('pickup:');
    const lacking = sent ? unsendable(shippingAddress) : null;
    if (lacking) return lacking;
    return {
      origin,
      storeProfile,
      currency,
      ...buyer,
      shippingAddress,
      billingAddress: input.billing_address ?? origin.billingAddress ?? shippingAddress,
      ...cost,
      lines: pricedLines(found.lines, cost.priced, currency),
    };
  };

  const reserve = async (call: Call, commandId: string, drafted: OrderDraft): Promise<PreparedOrder | Refusal> => {
    const number = await numbers.next(call.tenant);
    const { origin } = drafted;
    const reserved = origin.hold
      ? { attempt: origin.hold, holder: null }
      : await reserveStock(call, commandId, origin.requested);
    return reserved instanceof Refusal ? reserved : { ...drafted, ...reserved, number };
  };

  const prepare = async (
    call: Call,
    input: CreateOrderRequest,
    origin: OrderOrigin,
  ): Promise<PreparedOrder | Refusal> => {
    const drafted = await draft(call, input, origin);
    return drafted instanceof Refusal ? drafted : reserve(call, commandIdOf(call), drafted);
  };

  return { draft, reserve, prepare };
};
