// What a buyer is mailed of an order that an assistant placed for them, or they themselves at the store's page.
import type { StoreOrder } from '#proto/gen/order.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import type { Mail } from '#services/commerce/mail.ts';
import { orderUrl } from '#services/commerce/ucp_basket.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor, majorText } from '#values/money.ts';

type LetterStore = Pick<GetProfileResponse, 'name' | 'code' | 'contact_email'>;

const USEFUL_MS = 7 * 24 * 3_600_000;
const LINES_MAX = 50;

const goodsOf = ({ items }: StoreOrder): string => {
  const lines = items
    .slice(0, LINES_MAX)
    .map(({ quantity, name, variant_name }) => `${quantity} × ${variant_name ? `${name} – ${variant_name}` : name}`);
  const more = items.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
};

/** `due`: what the buyer has yet to pay by themselves. `publicUrl`: under which the store's page of the order is. */
export const orderLetter = (
  order: StoreOrder,
  shop: LetterStore,
  { due, publicUrl }: { readonly due: number; readonly publicUrl: string },
): Mail => {
  const { id, order_number: number, currency, email } = order;
  const amount = (major: number): string => {
    const unit = currencyOf(currency);
    return `${majorText(fromMajor(major, unit), unit)} ${currency}`;
  };
  const open = due > 0 ? `\nIt is kept for you for an hour, to be paid: ${amount(due)} is due.\n` : '';
  return {
    kind: 'order_placed',
    to: email,
    usefulMs: USEFUL_MS,
    void: false,
    subject: `Your order ${number} at ${shop.name}`,
    text: `${shop.name} has received your order ${number}.\n\n${goodsOf(order)}\n\nTotal: ${amount(order.total_amount)}\n${open}\nFollow it at ${orderUrl(`${publicUrl}/s/${shop.code}`, id)}\n`,
    link: null,
    code: null,
    sender: { name: shop.name, replyTo: shop.contact_email },
  };
};
