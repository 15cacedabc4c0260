// Placing an order: steps that take what it needs, then the one transaction that is the order (DESIGN, "Stock and orders").
//
//   1  price, delivery            asked, nothing taken
//   2  hold every line, pin       the stock journal; a refusal gives back what was held
//   3  one transaction            decision, gift cards and credit, what is on hand, promotion uses, order, events, answer
//   4  commit the holds           at once, and again by the reactor until it is done
//
// A crash before 3 leaves pinned holds that ask for a decision after a while; a retry under the same key finds them and
// goes on. A crash after 3 leaves nothing to decide.
import { randomUUIDv7 } from 'bun';
import type { CreateOrderRequest } from '#proto/gen/order.ts';
import type { PriceBasketResponse } from '#proto/gen/pricing.ts';
import type { AddressInput } from '#proto/gen/shared.ts';
import type { BuyLabelRequest, BuyLabelResponse } from '#proto/gen/shipping.ts';
import type { GetProfileResponse } from '#proto/gen/store.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { badCountry } from '#runtime/address.ts';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call.ts';
import { failpoint } from '#runtime/failpoint.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { gathered } from '#runtime/gathering.ts';
import { KEPT_MS } from '#runtime/idempotency.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { fromMajor, toMajor } from '#values/money.ts';
import { ATTEMPTS_MAX, attemptOf, derive } from './attempt.ts';
import type { Wanted } from './basket.ts';
import { HOLD_ENDED, type Neighbours } from './neighbour.ts';
import type { OrderNumbers } from './number.ts';
import type { ChosenRate, LineRecord, WholeOrder } from './order.ts';
import type { Delivery, Origin } from './origin.ts';
import type { Parcel } from './shipment.ts';
import { type Asked, type Decision, decisionsOf } from './table/decision.ts';

/** What the transaction writes, all of it known before it begins. */
export interface Placement {
  readonly attempt: string;
  readonly number: number;
  readonly origin: Origin;
  readonly shop: GetProfileResponse;
  readonly currency: Currency;
  readonly customer: string | null;
  readonly email: string;
  readonly shippingAddress: AddressInput | null;
  readonly billingAddress: AddressInput | null;
  readonly delivery: Delivery | null;
  readonly priced: PriceBasketResponse;
  readonly lines: readonly LineRecord[];
}

/** A pending hold outlives the steps to the pin and no more. */
const HOLD_MS = 60_000;
/** Attempts whose decisions are looked up in one statement. */
const ASKED_MAX = 50;
const ANSWERED = refuse('conflict', 'The answer of this Idempotency-Key is about to be there. Ask again.', {
  retryAfterS: 1,
});

const invalid = (param: string, message: string): Refusal => refuse('invalid_request', message, { param });

export type Placements = ReturnType<typeof openPlacements>;

export const openPlacements = (
  { postgres, clock }: Pick<Foundation, 'postgres' | 'clock'>,
  neighbours: Neighbours,
  numbers: OrderNumbers,
) => {
  const decisionOf = gathered((asked: readonly Asked[]) => decisionsOf(postgres.sql, asked), ASKED_MAX);

  /** Whose order it is: the customer's address unless another one is named. */
  const buyerOf = async (
    call: Call,
    customerId: string | null,
    email: string | null,
  ): Promise<{ readonly customer: string | null; readonly email: string } | Refusal> => {
    if (customerId === null)
      return email === null
        ? invalid('email', 'One of `email` and `customer_id` is needed.')
        : { customer: null, email };
    const found = await neighbours.customer(call, customerId);
    if (found instanceof Refusal) return found;
    return { customer: found.id, email: email ?? found.email };
  };

  const linesOf = async (
    call: Call,
    wanted: readonly Wanted[],
  ): Promise<
    | {
        readonly lines: Omit<LineRecord, 'unit_price' | 'subtotal' | 'discount' | 'tax_amount' | 'total'>[];
        readonly shipped: boolean;
      }
    | Refusal
  > => {
    const variants = await neighbours.variants(
      call,
      wanted.map(({ variant }) => variant),
    );
    let shipped = false;
    const lines = [];
    for (const { variant, quantity, param } of wanted) {
      const found = variants.get(variant);
      if (!found?.is_active) return notFound('variant', param);
      shipped ||= found.requires_shipping;
      lines.push({
        id: randomUUIDv7(),
        product_id: found.product_id,
        variant_id: variant,
        name: found.name,
        variant_name: found.variant_name,
        sku: found.sku,
        quantity,
        quantity_fulfilled: 0,
        quantity_returned: 0,
        quantity_withdrawn: 0,
      });
    }
    return { lines, shipped };
  };

  /** Null where nothing is delivered and nobody asked for it. */
  const deliveryOf = async (
    call: Call,
    input: CreateOrderRequest,
    origin: Origin,
    shipped: boolean,
    merchandise: number,
  ): Promise<Delivery | Refusal | null> => {
    const address = input.shipping_address ?? origin.shippingAddress;
    const option = input.shipping_option_id ?? origin.shippingOption;
    const rate = input.shipping_rate_id ?? null;
    if ((rate === null) !== (input.shipping_rate_source == null))
      return invalid(
        rate === null ? 'shipping_rate_id' : 'shipping_rate_source',
        '`shipping_rate_id` and `shipping_rate_source` go together.',
      );
    if (!shipped) return null;
    if (!address && !option?.startsWith('pickup:'))
      return invalid('shipping_address', '`shipping_address` is needed: a line of the order is shipped.');
    const found = await neighbours.deliver(call, {
      address: address ?? null,
      items: origin.wanted.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
      order_total: merchandise,
      shipping_option_id: rate === null ? (option ?? 'place') : null,
      shipping_rate_id: rate,
      shipping_rate_source: input.shipping_rate_source ?? null,
    });
    if (found instanceof Refusal) return found;
    return {
      optionId: found.option_id,
      name: found.option_name,
      fee: found.fee,
      rate: rate === null ? null : { id: rate, source: input.shipping_rate_source! },
      carrier: found.carrier,
    };
  };

  /**
   * The first attempt of this key that nobody decided, with its lines held and pinned. One that became an order since the
   * key was looked up has its answer there; one of more than a day ago is forgotten, and the key means another order.
   */
  const hold = async (call: Call, wanted: readonly Wanted[]): Promise<string | Refusal> => {
    const { tenant } = call;
    const isAnswered = (decision: Decision | null): boolean =>
      decision?.committed === true && clock.now(tenant).getTime() - decision.decided_at.getTime() < KEPT_MS;
    const variants = wanted.map(({ variant }) => variant);
    // A line that waits for no other is pinned as it is held.
    const pins = variants.length === 1;
    for (let count = 0; count < ATTEMPTS_MAX; count++) {
      const attempt = attemptOf(call, count);
      const decision = await decisionOf({ tenant, attempt });
      if (isAnswered(decision)) return ANSWERED;
      if (decision) continue;
      const expiresAt = new Date(clock.now(tenant).getTime() + HOLD_MS);
      const held = await neighbours.hold(call, { hold: attempt, lines: wanted, expiresAt, pins });
      if (held instanceof Refusal)
        return held.code === 'not_found'
          ? notFound('variant', wanted[0]!.param)
          : renamed(held, (param) => wantedAt(wanted, param));
      if (held !== HOLD_ENDED) {
        failpoint('hold', tenant.store);
        const pinned = pins ? null : await neighbours.pin(call, attempt, variants);
        if (pinned instanceof Refusal) return pinned;
        failpoint('pin', tenant.store);
        if (pinned !== HOLD_ENDED) return attempt;
      }
      if (isAnswered(await decisionOf({ tenant, attempt }))) return ANSWERED;
    }
    return refuse('conflict', 'This Idempotency-Key was tried too often. Use another one.', { retryAfterS: 60 });
  };

  /** What it costs at this moment, delivered. */
  const priceOf = async (
    call: Call,
    input: CreateOrderRequest,
    origin: Origin,
    customer: string | null,
    shipped: boolean,
    currency: Currency,
  ): Promise<{ readonly priced: PriceBasketResponse; readonly delivery: Delivery | null } | Refusal> => {
    const named = input.promotion_codes ?? [];
    const basket = {
      items: origin.wanted.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
      customer_id: customer,
      promotion_codes: [...origin.codes, ...named],
    };
    const goods = await neighbours.price(call, basket);
    if (goods instanceof Refusal) return goods;
    // A cart costs what it shows, and that is without those of its codes that it says it rejected.
    for (const { code, reason } of goods.rejected_codes) {
      const at = named.findIndex((each) => each.toUpperCase() === code.toUpperCase());
      if (at >= 0)
        return refuse('promotion_not_applicable', reason, { param: `promotion_codes[${at}]`, details: code });
    }
    // "merchandise after discounts, before tax and shipping"
    const merchandise = fromMajor(goods.subtotal, currency) - fromMajor(goods.discount_total, currency);
    const delivery = await deliveryOf(call, input, origin, shipped, toMajor(merchandise, currency));
    if (delivery instanceof Refusal) return delivery;
    const address = taxAddress(input.shipping_address ?? origin.shippingAddress ?? input.billing_address ?? null);
    const priced = await neighbours.price(call, { ...basket, shipping_fee: delivery?.fee ?? 0, address });
    return priced instanceof Refusal ? priced : { priced, delivery };
  };

  const prepare = async (call: Call, input: CreateOrderRequest, origin: Origin): Promise<Placement | Refusal> => {
    const nowhere =
      badCountry(input.shipping_address, 'shipping_address') ?? badCountry(input.billing_address, 'billing_address');
    if (nowhere) return nowhere;
    const customerId = origin.customer ?? input.customer_id?.toLowerCase() ?? null;
    const buyer = await buyerOf(call, customerId, input.email ?? origin.email);
    if (buyer instanceof Refusal) return buyer;
    const [shop, found] = await Promise.all([neighbours.shop(call), linesOf(call, origin.wanted)]);
    if (found instanceof Refusal) return found;
    const currency = currencyOf(shop.currency);
    const cost = origin.frozen ?? (await priceOf(call, input, origin, buyer.customer, found.shipped, currency));
    if (cost instanceof Refusal) return cost;
    // Before anything is held: nothing may fail between the pin and the transaction.
    const number = await numbers.next(call.tenant);
    const attempt = origin.hold ?? (await hold(call, origin.wanted));
    if (attempt instanceof Refusal) return attempt;
    // A frozen price is that of its own place.
    const shippingAddress = origin.shippingAddress ?? input.shipping_address ?? null;
    return {
      attempt,
      number,
      origin,
      shop,
      currency,
      ...buyer,
      shippingAddress,
      billingAddress: input.billing_address ?? shippingAddress,
      ...cost,
      lines: found.lines.map((line, at) => {
        const { unit_price, subtotal, discount, tax_amount, total } = cost.priced.lines[at]!;
        return {
          ...line,
          unit_price: fromMajor(unit_price, currency),
          subtotal: fromMajor(subtotal, currency),
          discount: fromMajor(discount, currency),
          tax_amount: fromMajor(tax_amount, currency),
          total: fromMajor(total, currency),
        };
      }),
    };
  };

  /** Buys what a parcel needs to travel. */
  const label = async (
    call: Call,
    order: WholeOrder,
    { items }: Parcel,
    rate: ChosenRate,
  ): Promise<{ readonly label: BuyLabelResponse } | Refusal> => {
    const variantOf = new Map(order.lines.map((line) => [line.id, line.variant_id]));
    const bought = await neighbours.buyLabel(call, {
      order_id: order.id,
      rate_id: rate.id,
      source: rate.source as BuyLabelRequest['source'],
      address: order.shipping_address,
      items: items.map(({ order_item_id, quantity }) => ({ variant_id: variantOf.get(order_item_id)!, quantity })),
      // A retry without a key finds the label that a try before it bought for the same parcel, too.
      reference: call.idempotency
        ? commandIdOf(call)
        : derive(order.id, `shipment ${order.shipments.length + 1}`, JSON.stringify(items)),
    });
    return bought instanceof Refusal ? bought : { label: bought };
  };

  return { prepare, label };
};

/** A hold speaks of lines: where the body names the one that is too many. */
const wantedAt = (wanted: readonly Wanted[], param: string): string =>
  wanted[Number(/\d+/.exec(param)?.[0])]?.param.replace(/variant_id$/, 'quantity') ?? param;

const taxAddress = (address: AddressInput | null) =>
  address?.country
    ? { country: address.country, state: address.state ?? null, postal_code: address.postal_code ?? null }
    : null;
