// The sums of an order.
import { useFormats } from '#edge/pages/dashboard/page.ts';
import { Facts } from '#edge/pages/design/display.tsx';
import type { StoreOrder } from '#proto/client/dashboard.ts';

/** The order in the currency of the store's books, if it was sold in another one. */
const bookedFacts = (
  { currency: sold, store_amounts }: StoreOrder,
  money: (amount: number, currency: string) => string,
): [string, string][] => {
  if (store_amounts === null) return [];
  const { currency, exchange_rate, total_amount, amount_refunded } = store_amounts;
  const refunded: [string, string][] =
    amount_refunded === 0 ? [] : [[`Refunded in ${currency}`, money(amount_refunded, currency)]];
  return [
    [`Total in ${currency}`, money(total_amount, currency)],
    ...refunded,
    ['Exchange rate', `1 ${currency} = ${exchange_rate} ${sold}`],
  ];
};

export const Totals = ({ order }: { readonly order: StoreOrder }) => {
  const formats = useFormats();
  const money = (amount: number): string => formats.money(amount, order.currency);
  const optional = (name: string, amount: number): [string, string][] => (amount === 0 ? [] : [[name, money(amount)]]);
  return (
    <Facts
      facts={[
        ['Subtotal', money(order.subtotal)],
        ...optional('Discount', -order.discount_total),
        [['Delivery', order.shipping_option_name].filter(Boolean).join(': '), money(order.shipping_total)],
        ['Tax', money(order.tax_total)],
        ['Total', <b key="total">{money(order.total_amount)}</b>],
        ...optional('Gift cards', -order.gift_card_total),
        ...optional('Store credit', -order.store_credit_total),
        ['Paid', money(order.amount_paid)],
        ...optional('Released', -order.amount_released),
        ...optional('Refunded', order.amount_refunded),
        ['Due', <b key="due">{money(order.amount_due)}</b>],
        ...bookedFacts(order, formats.money),
      ]}
    />
  );
};
