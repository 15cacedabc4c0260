// The sums of an order.
import { useFormats } from '#edge/pages/dashboard/page.ts';
import { Facts } from '#edge/pages/design/display.tsx';
import type { StoreOrder } from '#proto/client/dashboard.ts';

export const Totals = ({ order }: { readonly order: StoreOrder }) => {
  const formats = useFormats();
  const money = (amount: number): string => formats.money(amount, order.currency);
  const optional = (name: string, amount: number): [string, string][] => (amount === 0 ? [] : [[name, money(amount)]]);
  return (
    <Facts
      facts={[
        ['Subtotal', money(order.subtotal)],
        ...optional('Discount', -order.discount_total),
        [order.shipping_option_name ?? 'Delivery', money(order.shipping_total)],
        ['Tax', money(order.tax_total)],
        ['Total', <b key="total">{money(order.total_amount)}</b>],
        ...optional('Gift cards', -order.gift_card_total),
        ...optional('Store credit', -order.store_credit_total),
        ['Paid', money(order.amount_paid)],
        ...optional('Released', -order.amount_released),
        ...optional('Refunded', order.amount_refunded),
        ['Due', <b key="due">{money(order.amount_due)}</b>],
      ]}
    />
  );
};
