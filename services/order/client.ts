// Client of the other domains: customers, variants, prices and delivery, stock holds, labels and refunds by providers.
import type { VariantSummary } from '#proto/gen/catalog_directory.ts';
import type { Customer } from '#proto/gen/customer.ts';
import type { GiveBackRequest } from '#proto/gen/payment_directory.ts';
import type { PriceBasketRequest, PriceBasketResponse } from '#proto/gen/pricing_directory.ts';
import type {
  BuyLabelRequest,
  BuyLabelResponse,
  ShipOrderRequest,
  ShipOrderResponse,
} from '#proto/gen/shipping_directory.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import type { MovedUnits } from '#services/catalog/transaction.ts';
import type { Share } from '#services/ledger/index.ts';
import type { RefundRecord } from './order.ts';

/** The hold of this name has ended: the pieces are held under another one, or not at all. */
export const HOLD_ENDED = 'hold_ended';

export interface WantedHold {
  readonly hold: string;
  readonly lines: readonly MovedUnits[];
  readonly expiresAt: Date;
  /** Whether it is pinned at once. */
  readonly pins: boolean;
  /** The try that takes it, which may share it with others of its key. */
  readonly taker: string;
}

/** What a try took, be it of a hold that others have, too. */
export type TakenHold = SoldHold & Pick<WantedHold, 'taker'>;

export interface SoldHold {
  readonly hold: string;
  readonly variants: readonly string[];
}

export interface OrderNeighbours {
  shop(call: Call): Promise<GetProfileResponse>;
  customer(call: Call, id: string): Promise<Customer | Refusal>;
  /** By id; unknown ones are left out. */
  variants(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, VariantSummary>>;
  price(call: Call, basket: PriceBasketRequest): Promise<PriceBasketResponse | Refusal>;
  deliver(call: Call, order: ShipOrderRequest): Promise<ShipOrderResponse | Refusal>;
  buyLabel(call: Call, label: BuyLabelRequest): Promise<BuyLabelResponse | Refusal>;
  voidLabel(call: Call, label: BuyLabelRequest): Promise<unknown>;
  hold(call: Call, wanted: WantedHold): Promise<typeof HOLD_ENDED | Refusal | null>;
  pin(call: Call, hold: string, variants: readonly string[]): Promise<typeof HOLD_ENDED | Refusal | null>;
  /** The pieces are sold, of as many holds as there are. */
  commit(call: Pick<Call, 'tenant'>, holds: readonly SoldHold[]): Promise<void>;
  release(call: Pick<Call, 'tenant'>, taken: TakenHold): Promise<void>;
  /** What orders gave back is seen by the next question. */
  settleStock(call: Pick<Call, 'tenant'>): Promise<void>;
  /** Sends a refund's parts back through the providers that they came by. */
  giveBack(call: Pick<Call, 'tenant'>, order: string, refund: RefundRecord, parts: readonly Share[]): Promise<void>;
}

export const openNeighbours = ({ ask, askOrThrow, askDetached }: DomainClient): OrderNeighbours => {
  const holdEnded = (reply: unknown): typeof HOLD_ENDED | Refusal | null => {
    if (!(reply instanceof Refusal)) return null;
    return reply.code === 'conflict' ? HOLD_ENDED : reply;
  };

  return {
    shop: (call) => askOrThrow('StoreDirectory/GetProfile', call, { store: call.tenant.store }),
    customer: async (call, id) => {
      const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: id });
      return found instanceof Refusal ? found : found.customer;
    },
    variants: async (call, ids) => {
      const input = { variant_ids: ids };
      const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, input);
      return new Map(variants.map((variant) => [variant.variant_id, variant]));
    },
    price: (call, basket) => ask('PricingDirectory/PriceBasket', call, basket),
    deliver: (call, order) => ask('ShippingDirectory/ShipOrder', call, order),
    buyLabel: (call, label) => ask('ShippingDirectory/BuyLabel', call, label),
    voidLabel: (call, label) => askOrThrow('ShippingDirectory/VoidLabel', call, label),
    hold: async (call, { hold, lines, expiresAt, pins, taker }) =>
      holdEnded(
        await ask('Stock/HoldStock', call, {
          hold_id: hold,
          lines: lines.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
          expires_at: expiresAt.toISOString(),
          pin: pins,
          owner: taker,
        }),
      ),
    pin: async (call, hold, variants) =>
      holdEnded(await ask('Stock/PinHold', call, { hold: { hold_id: hold, variant_ids: variants } })),
    commit: (call, holds) =>
      askDetached('Stock/CommitHolds', call, {
        holds: holds.map(({ hold, variants }) => ({ hold_id: hold, variant_ids: variants })),
        settle: true,
      }),
    release: (call, { hold, variants, taker }) =>
      askDetached('Stock/ReleaseHold', call, {
        hold: { hold_id: hold, variant_ids: variants },
        settle: true,
        owner: taker,
      }),
    settleStock: (call) => askDetached('StockDirectory/SettleLevels', call, { levels: [], wait: true }),
    giveBack: (call, order, { id, reason }, parts) => {
      const wanted: GiveBackRequest = {
        order_id: order,
        refund_id: id,
        parts: parts.map(({ source, amount }) => ({ payment_id: source.subject, amount })),
        reason,
      };
      return askDetached('PaymentDirectory/GiveBack', call, wanted);
    },
  };
};
