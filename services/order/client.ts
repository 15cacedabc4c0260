// Client of the other domains that orders call: customers, variants, prices, delivery, stock holds, labels, refunds.
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
import type { LedgerShare } from '#services/ledger/index.ts';
import type { RefundRecord } from './order.ts';

/** Returned if a hold has expired or been released, so that its units are no longer reserved. */
export const HOLD_ENDED = 'hold_ended';

export interface StockHoldRequest {
  readonly hold: string;
  readonly lines: readonly MovedUnits[];
  readonly expiresAt: Date;
  /**
   * Id of one call; concurrent calls under one idempotency key share the hold, which lasts until each holder has
   * released it.
   */
  readonly holder: string;
}

export type VariantHoldShare = VariantHold & Pick<StockHoldRequest, 'holder'>;

export interface VariantHold {
  readonly hold: string;
  readonly variants: readonly string[];
}

export interface OrderClients {
  storeProfile(call: Call): Promise<GetProfileResponse>;
  findCustomer(call: Call, id: string): Promise<Customer | Refusal>;
  findVariants(call: Call, ids: readonly string[]): Promise<ReadonlyMap<string, VariantSummary>>;
  priceBasket(call: Call, basket: PriceBasketRequest): Promise<PriceBasketResponse | Refusal>;
  quoteDelivery(call: Call, order: ShipOrderRequest): Promise<ShipOrderResponse | Refusal>;
  buyLabel(call: Call, label: BuyLabelRequest): Promise<BuyLabelResponse | Refusal>;
  voidLabel(call: Call, label: BuyLabelRequest): Promise<unknown>;
  holdStock(call: Call, requested: StockHoldRequest): Promise<typeof HOLD_ENDED | Refusal | null>;
  commitHolds(call: Pick<Call, 'tenant'>, holds: readonly VariantHold[]): Promise<void>;
  releaseHold(call: Pick<Call, 'tenant'>, taken: VariantHoldShare): Promise<void>;
  /** Waits until the catalogue shows the units that cancelled or returned orders restocked. */
  settleStockLevels(call: Pick<Call, 'tenant'>): Promise<void>;
  refundPayments(
    call: Pick<Call, 'tenant'>,
    order: string,
    refund: RefundRecord,
    parts: readonly LedgerShare[],
  ): Promise<void>;
}

export const openOrderClients = ({ ask, askOrThrow, askDetached }: DomainClient): OrderClients => ({
  storeProfile: (call) => askOrThrow('StoreDirectory/GetProfile', call, { store: call.tenant.store }),
  findCustomer: async (call, id) => {
    const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: id });
    return found instanceof Refusal ? found : found.customer;
  },
  findVariants: async (call, ids) => {
    const input = { variant_ids: ids };
    const { variants } = await askOrThrow('CatalogDirectory/VariantsByIds', call, input);
    return new Map(variants.map((variant) => [variant.variant_id, variant]));
  },
  priceBasket: (call, basket) => ask('PricingDirectory/PriceBasket', call, basket),
  quoteDelivery: (call, order) => ask('ShippingDirectory/ShipOrder', call, order),
  buyLabel: (call, label) => ask('ShippingDirectory/BuyLabel', call, label),
  voidLabel: (call, label) => askOrThrow('ShippingDirectory/VoidLabel', call, label),
  holdStock: async (call, { hold, lines, expiresAt, holder }) => {
    const held = await ask('Stock/HoldStock', call, {
      hold_id: hold,
      lines: lines.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
      expires_at: expiresAt.toISOString(),
      holder,
    });
    if (!(held instanceof Refusal)) return null;
    return held.code === 'conflict' ? HOLD_ENDED : held;
  },
  commitHolds: (call, holds) =>
    askDetached('Stock/CommitHolds', call, {
      holds: holds.map(({ hold, variants }) => ({ hold_id: hold, variant_ids: variants })),
      settle: true,
    }),
  releaseHold: (call, { hold, variants, holder }) =>
    askDetached('Stock/ReleaseHold', call, {
      hold: { hold_id: hold, variant_ids: variants },
      settle: true,
      holder,
    }),
  settleStockLevels: (call) => askDetached('StockDirectory/SettleLevels', call, { levels: [], wait: true }),
  refundPayments: (call, order, { id, reason }, parts) => {
    const requested: GiveBackRequest = {
      order_id: order,
      refund_id: id,
      parts: parts.map(({ source, amount }) => ({ payment_id: source.subject, amount })),
      reason,
    };
    return askDetached('PaymentDirectory/GiveBack', call, requested);
  },
});
