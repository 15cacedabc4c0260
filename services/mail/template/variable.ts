// Turns the data of a mail into the variables of its template: amounts with their currency, days in the store's time zone,
// links to the store's pages. Pure.
import type { ShoppingCart } from '#proto/gen/cart.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { orderUrl } from '#services/commerce/ucp_basket.ts';
import type { DisputeMail, MailDataOf, MailKind, ReturnMail } from '#services/mail/kind.ts';
import { currencyOf } from '#values/currency.ts';
import type { TemplateValue, TemplateValues } from './engine.ts';

export type MailStore = Pick<
  GetProfileResponse,
  | 'name'
  | 'code'
  | 'website_url'
  | 'contact_email'
  | 'contact_phone'
  | 'logo_url'
  | 'timezone'
  | 'wholesale_enabled'
  | 'colours'
>;

export interface MailFrame {
  readonly store: MailStore;
  /** Root of the pages that this system serves. */
  readonly publicUrl: string;
  /** BCP 47. */
  readonly language: string;
}

const LINES_MAX = 50;
const WEB_URL = /^https?:\/\//i;

const money = (frame: MailFrame, major: number, code: string): string => {
  const decimals = currencyOf(code).exponent;
  const amount = major.toLocaleString(frame.language, {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
  return `${amount} ${code}`;
};

/** Null for an amount of nothing, so that templates can leave its line out. */
const moneyIfAny = (frame: MailFrame, major: number, code: string): string | null =>
  major > 0 ? money(frame, major, code) : null;

const day = ({ store: { timezone }, language }: MailFrame, moment: string | null | undefined): string | null =>
  moment == null
    ? null
    : new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: timezone }).format(new Date(moment));

const titleOf = ({ name, variant_name }: { readonly name: string; readonly variant_name?: string | null }): string =>
  variant_name ? `${name} – ${variant_name}` : name;

const addressLines = (address: StoreOrder['shipping_address']): readonly string[] =>
  address === null
    ? []
    : [
        [address.first_name, address.last_name].filter(Boolean).join(' '),
        address.company,
        address.line1,
        address.line2,
        [address.postal_code, address.city].filter(Boolean).join(' '),
        address.state,
        address.country,
      ].filter((line): line is string => typeof line === 'string' && line !== '');

/** Null where the order is billed to its shipping address. */
const otherBillingAddress = ({ shipping_address, billing_address }: StoreOrder): StoreOrder['billing_address'] =>
  addressLines(shipping_address).join('\n') === addressLines(billing_address).join('\n') ? null : billing_address;

const webUrl = (url: string | null | undefined): string | null => (url && WEB_URL.test(url) ? url : null);

const storePages = ({ store, publicUrl }: MailFrame): string => `${publicUrl}/s/${store.code}`;

/** A wholesale store has no pages for shoppers here. */
const orderPage = (frame: MailFrame, { id }: Pick<StoreOrder, 'id'>): string | null =>
  frame.store.wholesale_enabled ? webUrl(frame.store.website_url) : orderUrl(storePages(frame), id);

const paymentPage = (frame: MailFrame, order: StoreOrder): string | null =>
  order.checkout_intent_id && !frame.store.wholesale_enabled
    ? `${storePages(frame)}/checkout/${order.checkout_intent_id}`
    : orderPage(frame, order);

interface Line {
  readonly name: string;
  readonly variant_name?: string | null;
  readonly quantity: number;
  readonly total?: number;
}

const lineValues = (frame: MailFrame, lines: readonly Line[], currency: string): readonly TemplateValues[] =>
  lines.slice(0, LINES_MAX).map((line) => ({
    name: titleOf(line),
    quantity: line.quantity,
    total: line.total === undefined ? null : money(frame, line.total, currency),
  }));

const orderValues = (frame: MailFrame, order: StoreOrder, due = order.amount_due): TemplateValues => {
  const { currency } = order;
  const any = (major: number): string | null => moneyIfAny(frame, major, currency);
  return {
    number: order.order_number,
    date: day(frame, order.created_at),
    email: order.email,
    items: lineValues(frame, order.items, currency),
    more_items: Math.max(0, order.items.length - LINES_MAX),
    subtotal: money(frame, order.subtotal, currency),
    discount: any(order.discount_total),
    delivery: any(order.shipping_total),
    delivery_name: order.shipping_option_name,
    tax: any(order.tax_total),
    total: money(frame, order.total_amount, currency),
    gift_cards: any(order.gift_card_total),
    store_credit: any(order.store_credit_total),
    paid: any(order.amount_paid),
    refunded: any(order.amount_refunded),
    due: any(due),
    address: addressLines(order.shipping_address),
    billing_address: addressLines(otherBillingAddress(order)),
    note: order.note,
    url: orderPage(frame, order),
    payment_url: due > 0 ? paymentPage(frame, order) : null,
  };
};

const shippedItems = (order: StoreOrder, items: MailDataOf['order_shipped']['shipment']['items']): readonly Line[] => {
  const byId = new Map(order.items.map((line) => [line.id, line]));
  return (items ?? []).flatMap(({ order_item_id, quantity }) => {
    const line = byId.get(order_item_id);
    return line ? [{ name: line.name, variant_name: line.variant_name, quantity }] : [];
  });
};

const claimValues = (
  frame: MailFrame,
  { order_number, status, note, amount, currency }: ReturnMail,
): TemplateValues => ({
  order_number,
  status,
  note,
  amount: amount === null ? null : money(frame, amount, currency),
});

const disputeValues = (frame: MailFrame, step: DisputeMail): TemplateValues => ({
  ...claimValues(frame, step),
  resolution: step.resolution,
});

const cartValues = (frame: MailFrame, cart: ShoppingCart): TemplateValues => ({
  items: lineValues(frame, cart.items, cart.currency),
  more_items: Math.max(0, cart.items.length - LINES_MAX),
  subtotal: money(frame, cart.subtotal, cart.currency),
  discount: moneyIfAny(frame, cart.discount_total, cart.currency),
  total: money(frame, cart.total, cart.currency),
  url: webUrl(frame.store.website_url),
});

const productUrl = ({ store }: MailFrame, slug: string): string | null => {
  const site = webUrl(store.website_url);
  return site === null ? null : `${site.replace(/(?<!\/)\/+$/, '')}/products/${encodeURIComponent(slug)}`;
};

const VALUES: { readonly [K in MailKind]: (data: MailDataOf[K], frame: MailFrame) => TemplateValues } = {
  order_placed: ({ order, due, reserved }, frame) => ({ order: { ...orderValues(frame, order, due), reserved } }),
  order_paid: ({ order }, frame) => ({ order: orderValues(frame, order) }),
  order_shipped: ({ order, shipment }, frame) => ({
    order: orderValues(frame, order),
    shipment: {
      carrier: shipment.carrier,
      tracking_number: shipment.tracking_number,
      tracking_url: webUrl(shipment.tracking_url),
      items: lineValues(frame, shippedItems(order, shipment.items), order.currency),
    },
  }),
  order_delivered: ({ order }, frame) => ({ order: orderValues(frame, order) }),
  order_cancelled: ({ order }, frame) => ({ order: orderValues(frame, order) }),
  order_refunded: ({ order, refund }, frame) => ({
    order: orderValues(frame, order),
    refund: { amount: money(frame, refund.amount, order.currency), reason: refund.reason },
  }),
  payment_failed: ({ order, payment }, frame) => ({
    order: orderValues(frame, order),
    payment: { amount: money(frame, payment.amount, payment.currency) },
  }),
  gift_card: ({ gift_card: card }, frame) => ({
    gift_card: {
      code: card.code,
      balance: money(frame, card.balance, card.currency),
      expires_on: day(frame, card.expires_at),
    },
  }),
  return_received: (step, frame) => ({ return: claimValues(frame, step) }),
  return_decided: (step, frame) => ({ return: claimValues(frame, step) }),
  return_arrived: (step, frame) => ({ return: claimValues(frame, step) }),
  credit_offered: (step, frame) => ({ return: claimValues(frame, step) }),
  dispute_opened: (step, frame) => ({ dispute: disputeValues(frame, step) }),
  dispute_changed: (step, frame) => ({ dispute: disputeValues(frame, step) }),
  back_in_stock: ({ product }, frame) => ({
    product: {
      name: titleOf(product),
      price: product.price === null ? null : money(frame, product.price, product.currency),
      url: productUrl(frame, product.slug),
    },
  }),
  abandoned_cart: ({ cart }, frame) => ({ cart: cartValues(frame, cart) }),
  magic_link: ({ link, lifetime_minutes }) => ({ link, lifetime_minutes }),
  reset_password: ({ link, lifetime_minutes }) => ({ link, lifetime_minutes }),
  otp: ({ code, lifetime_minutes }) => ({ code, lifetime_minutes }),
  dashboard_invitation: ({ link, role, lifetime_days }) => ({ link, role, lifetime_days }),
  dashboard_link: ({ link, lifetime_minutes }) => ({ link, lifetime_minutes }),
};

const storeValues = ({ store }: MailFrame): TemplateValues => ({
  name: store.name,
  url: webUrl(store.website_url),
  email: store.contact_email,
  phone: store.contact_phone,
});

/** `unsubscribeUrl` is null unless the kind is marketing. */
export const templateValues = <K extends MailKind>(
  kind: K,
  data: MailDataOf[K],
  frame: MailFrame,
  unsubscribeUrl: string | null,
): TemplateValues => ({
  store: storeValues(frame),
  ...VALUES[kind](data, frame),
  ...(unsubscribeUrl !== null && { unsubscribe_url: unsubscribeUrl }),
});

export interface VariableExample {
  readonly name: string;
  readonly example: string;
}

const isList = (value: TemplateValue): value is readonly TemplateValue[] => Array.isArray(value);

/** Lists the variables by their path, such as `order.items[].name`, each with its value here. */
export const listVariables = (values: TemplateValues, path = ''): readonly VariableExample[] =>
  Object.entries(values).flatMap(([key, value]) => {
    const name = path === '' ? key : `${path}.${key}`;
    if (isList(value)) {
      const [first] = value;
      return first !== null && typeof first === 'object' && !isList(first)
        ? listVariables(first as TemplateValues, `${name}[]`)
        : [{ name: `${name}[]`, example: String(first ?? '') }];
    }
    if (value !== null && typeof value === 'object') return listVariables(value as TemplateValues, name);
    return [{ name, example: value === null ? '' : String(value) }];
  });
