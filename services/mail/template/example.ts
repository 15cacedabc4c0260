// Example data of every kind of mail, for previews and for checking templates. Pure.
import type { ShoppingCart } from '#proto/gen/cart.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { MailDataOf, MailKind } from '#services/mail/kind.ts';

export interface ExampleFrame {
  readonly currency: string;
  /** ISO 8601. */
  readonly now: string;
}

const ID = '00000000-0000-4000-8000-000000000000';
const LINK = 'https://shop.example.com/welcome?token=example';

const ADDRESS: StoreOrder['shipping_address'] = {
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: null,
  line1: '48 Ngong Road',
  line2: null,
  city: 'Nairobi',
  state: null,
  postal_code: '00100',
  country: 'KE',
  phone: null,
  latitude: null,
  longitude: null,
};

const LINE: StoreOrder['items'][number] = {
  id: ID,
  product_id: ID,
  variant_id: ID,
  name: 'Trail shoe',
  variant_name: '42',
  sku: 'TRAIL-42',
  quantity: 2,
  quantity_fulfilled: 0,
  quantity_returned: 0,
  unit_price: 10,
  subtotal: 20,
  discount: 2,
  tax_amount: 2,
  total: 20,
};

const exampleOrder = ({ currency, now }: ExampleFrame): StoreOrder => ({
  id: ID,
  order_number: '1001',
  store_id: ID,
  customer_id: null,
  email: 'ada@example.com',
  order_status: 'confirmed',
  payment_status: 'paid',
  currency,
  items: [LINE],
  subtotal: 20,
  discount_total: 2,
  shipping_total: 5,
  shipping_tax: 0,
  tax_total: 2,
  total_amount: 25,
  gift_card_total: 5,
  store_credit_total: 5,
  amount_paid: 15,
  amount_refunded: 5,
  amount_released: 0,
  amount_due: 0,
  shipping_address: ADDRESS,
  billing_address: null,
  shipping_option_id: 'place',
  shipping_option_name: 'Nairobi',
  tracking_number: '00340434161094042557',
  carrier: 'DHL',
  tracking_url: 'https://carrier.example.com/00340434161094042557',
  applied_promotions: [],
  refunds: [],
  shipments: [],
  note: 'Please ring twice.',
  metadata: {},
  return_window_ends_at: null,
  created_at: now,
  updated_at: now,
  checkout_group_id: null,
  checkout_intent_id: null,
  agent: null,
  delivered_at: null,
  language: null,
  store_amounts: null,
});

const exampleCart = ({ currency, now }: ExampleFrame): ShoppingCart => ({
  id: ID,
  session_id: null,
  customer_id: ID,
  currency,
  status: 'active',
  items: [
    {
      id: ID,
      product_id: ID,
      variant_id: ID,
      name: 'Trail shoe',
      variant_name: '42',
      sku: 'TRAIL-42',
      thumbnail_url: null,
      quantity: 2,
      unit_price: 10,
      subtotal: 20,
      discount: 2,
      total: 18,
      in_stock: true,
    },
  ],
  item_count: 2,
  subtotal: 20,
  discount_total: 2,
  gift_card_total: 0,
  total: 18,
  amount_due: 18,
  promotion_codes: [],
  applied_promotions: [],
  rejected_codes: [],
  gift_cards: [],
  warnings: [],
  version: 1,
  created_at: now,
  updated_at: now,
});

const unpaid = (order: StoreOrder): StoreOrder => ({
  ...order,
  payment_status: 'pending',
  amount_paid: 0,
  amount_refunded: 0,
  amount_due: 15,
});

/** `order` replaces the example's. */
export const exampleData = (frame: ExampleFrame, given?: StoreOrder): MailDataOf => {
  const order = given ?? exampleOrder(frame);
  const due = given ?? unpaid(order);
  const { currency } = order;
  const claim = { order_number: order.order_number, note: 'Thank you for your patience.', amount: 10, currency };
  const shipment = order.shipments.at(-1) ?? { ...order, items: [] };
  const refund = order.refunds.at(-1) ?? { amount: 5, reason: 'Came too late' };
  const items = order.items.map(({ id, quantity }) => ({ order_item_id: id, quantity }));
  const secret = { link: LINK, lifetime_minutes: 15 };
  return {
    order_placed: { order: due, due: due.amount_due, reserved: due.amount_due > 0 },
    order_paid: { order },
    order_shipped: {
      order,
      shipment: { ...shipment, items: shipment.items.length > 0 ? shipment.items : items },
    },
    order_delivered: { order },
    order_cancelled: { order },
    order_refunded: { order, refund },
    payment_failed: { order: due, payment: { amount: due.amount_due, currency } },
    gift_card: {
      gift_card: {
        id: ID,
        code: '7K3M-9QTR-XW2B-H5ND',
        status: 'active',
        currency,
        initial_amount: 50,
        balance: 50,
        expires_at: frame.now,
        customer_id: null,
        created_at: frame.now,
      },
    },
    return_received: { ...claim, status: 'requested' },
    return_decided: { ...claim, status: 'approved' },
    return_arrived: { ...claim, status: 'received' },
    credit_offered: { ...claim, status: 'requested' },
    dispute_opened: { ...claim, status: 'open', resolution: null },
    dispute_changed: { ...claim, status: 'resolved', resolution: 'refund' },
    back_in_stock: {
      product: { name: 'Trail shoe', variant_name: '42', slug: 'trail-shoe', price: 10, currency },
    },
    abandoned_cart: { cart: exampleCart(frame) },
    magic_link: secret,
    reset_password: secret,
    otp: { code: '123456', lifetime_minutes: 10 },
    dashboard_invitation: { link: LINK, role: 'orders', lifetime_days: 7 },
    dashboard_link: secret,
  };
};

/** Kinds whose mails show an order, so that a preview can show one of the store's. */
export const showsOrder = (kind: MailKind): boolean => kind.startsWith('order_') || kind === 'payment_failed';
