// Generated from stoa/v1/shipping_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { AddressInput } from './shared.ts';
import type { ShippingChoice, ShippingLine } from './shipping.ts';
import type { LocationAddress } from './shipping_config.ts';

/** @internal */
export type ShipOrderRequest = {
  /** Null when the order is picked up. */
  address?: AddressInput | null;
  items?: readonly ShippingLine[];
  /** Merchandise after discounts, before tax and shipping. */
  order_total?: number;
  /** `place` where neither it nor a rate is named. */
  shipping_option_id?: string | null;
  shipping_rate_id?: string | null;
  shipping_rate_source?: "carrier_account" | "custom" | null;
};

/** @internal */
export type ShipOrderResponse = {
  /** Null for a carrier's rate. */
  option_id: string | null;
  option_name: string;
  fee: number;
  /** Carrier of a carrier's rate. */
  carrier: string | null;
  service: string | null;
  /** Address at which the order is picked up, and so taxed. */
  pickup_address: LocationAddress | null;
};

/** @internal */
export type ListChoicesRequest = {
  address: AddressInput;
  items?: readonly ShippingLine[];
  order_total?: number;
  /** Tag of the reader's language; the store's nearest one names the options, else its default one. */
  language?: string | null;
};

/** @internal */
export type ListChoicesResponse = {
  /** Empty when the store neither delivers there nor offers pickup. */
  options: readonly ShippingChoice[];
};

/** @internal */
export type BuyLabelRequest = {
  order_id: string;
  rate_id: string;
  source: "carrier_account" | "custom";
  address?: AddressInput | null;
  items?: readonly ShippingLine[];
  /** The same at a retry, which is answered as the first time. */
  reference: string;
};

/** @internal */
export type BuyLabelResponse = {
  carrier: string;
  service: string;
  /** Null where the source sells no labels: an extension. */
  tracking_number: string | null;
  tracking_url: string | null;
  label_url: string | null;
  fee: number;
};

/** @internal */
export type VoidLabelResponse = {
  /** False where the source did not void it. */
  voided: boolean;
};

/** @internal */
export type GetSenderRequest = Record<never, never>;

/** @internal */
export type GetSenderResponse = {
  /** Null where the store has said none. */
  address: LocationAddress | null;
};

/**
 * Shipping, as orders and agents use it.
 * @internal
 */
export interface ShippingDirectoryRpcs {
  ShipOrder: { request: ShipOrderRequest; response: ShipOrderResponse };
  ListChoices: { request: ListChoicesRequest; response: ListChoicesResponse };
  BuyLabel: { request: BuyLabelRequest; response: BuyLabelResponse };
  VoidLabel: { request: BuyLabelRequest; response: VoidLabelResponse };
  GetSender: { request: GetSenderRequest; response: GetSenderResponse };
}
