// Kinds of mails, and the data that each kind's template shows. Pure.
import type { ShoppingCart } from '#proto/gen/cart.ts';
import type { Shipment, StoreOrder } from '#proto/gen/order.ts';
import type { GiftCard } from '#proto/gen/value.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';

/** `due` is the unpaid amount, in major units. */
export interface PlacedOrder {
  readonly order: StoreOrder;
  readonly due: number;
  /** Whether the store reserves the order for an hour only. */
  readonly reserved: boolean;
}

export interface ShippedOrder {
  readonly order: StoreOrder;
  readonly shipment: Pick<Shipment, 'carrier' | 'tracking_number' | 'tracking_url'> & Partial<Pick<Shipment, 'items'>>;
}

/** Amounts are in major units of the order's currency. */
export interface RefundedOrder {
  readonly order: StoreOrder;
  readonly refund: { readonly amount: number; readonly reason: string | null };
}

export interface FailedPayment {
  readonly order: StoreOrder;
  readonly payment: { readonly amount: number; readonly currency: string };
}

export interface ReturnMail {
  readonly order_number: string;
  readonly status: string;
  readonly note: string | null;
  /** Refund or offered credit, in major units; null if there is none. */
  readonly amount: number | null;
  readonly currency: string;
}

export interface DisputeMail extends ReturnMail {
  readonly resolution: string | null;
}

export interface SecretLink {
  readonly link: string;
  readonly lifetime_minutes: number;
}

export interface StockMail {
  readonly product: {
    readonly name: string;
    readonly variant_name: string | null;
    readonly slug: string;
    /** In major units. */
    readonly price: number | null;
    readonly currency: string;
  };
}

/** The data of each kind. */
export interface MailDataOf {
  readonly order_placed: PlacedOrder;
  readonly order_paid: { readonly order: StoreOrder };
  readonly order_shipped: ShippedOrder;
  readonly order_delivered: { readonly order: StoreOrder };
  readonly order_cancelled: { readonly order: StoreOrder };
  readonly order_refunded: RefundedOrder;
  readonly payment_failed: FailedPayment;
  readonly gift_card: { readonly gift_card: GiftCard };
  readonly return_received: ReturnMail;
  readonly return_decided: ReturnMail;
  readonly return_arrived: ReturnMail;
  readonly credit_offered: ReturnMail;
  readonly dispute_opened: DisputeMail;
  readonly dispute_changed: DisputeMail;
  readonly back_in_stock: StockMail;
  readonly abandoned_cart: { readonly cart: ShoppingCart };
  readonly magic_link: SecretLink;
  readonly reset_password: SecretLink;
  readonly otp: { readonly code: string; readonly lifetime_minutes: number };
  readonly dashboard_invitation: { readonly link: string; readonly role: StaffRole; readonly lifetime_days: number };
  readonly dashboard_link: SecretLink;
}

export type MailKind = keyof MailDataOf;

/**
 * `service`: about an order or a claim. `marketing`: sent to those alone who have not unsubscribed. `account`: contains a
 * secret that opens an account, so no merchant may change or disable it.
 */
export type MailGroup = 'service' | 'marketing' | 'account';

interface KindRule {
  readonly group: MailGroup;
  readonly enabledByDefault: boolean;
}

const SERVICE: KindRule = { group: 'service', enabledByDefault: true };
const ACCOUNT: KindRule = { group: 'account', enabledByDefault: true };

export const KINDS: Readonly<Record<MailKind, KindRule>> = {
  order_placed: SERVICE,
  order_paid: SERVICE,
  order_shipped: SERVICE,
  order_delivered: SERVICE,
  order_cancelled: SERVICE,
  order_refunded: SERVICE,
  payment_failed: SERVICE,
  gift_card: SERVICE,
  return_received: SERVICE,
  return_decided: SERVICE,
  return_arrived: SERVICE,
  credit_offered: SERVICE,
  dispute_opened: SERVICE,
  dispute_changed: SERVICE,
  // The shopper asks for each of these mails.
  back_in_stock: { group: 'marketing', enabledByDefault: true },
  abandoned_cart: { group: 'marketing', enabledByDefault: false },
  magic_link: ACCOUNT,
  reset_password: ACCOUNT,
  otp: ACCOUNT,
  dashboard_invitation: ACCOUNT,
  dashboard_link: ACCOUNT,
};

export const MAIL_KINDS = Object.keys(KINDS) as readonly MailKind[];

export const isMailKind = (text: string): text is MailKind => Object.hasOwn(KINDS, text);

export const isEditable = (kind: MailKind): boolean => KINDS[kind].group !== 'account';
