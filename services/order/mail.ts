// Mails about orders and returns.
import type { StoreOrder } from '#proto/gen/order.ts';
import type { GetIdentityResponse, GetProfileResponse } from '#proto/gen/store_directory.ts';
import type { Mail, MailContent } from '#services/commerce/mail.ts';
import { orderUrl } from '#services/commerce/ucp_basket.ts';
import { currencyOf } from '#values/currency.ts';
import { fromMajor, majorText } from '#values/money.ts';
import type { ReturnRecord } from './return/return.ts';

export type MailSender = Pick<GetIdentityResponse, 'name' | 'contact_email'>;
export type ReturnMailKind = Extract<Mail['kind'], 'return_received' | 'return_decided' | 'credit_offered'>;

const USEFUL_MS = 7 * 24 * 3_600_000;

const contentOf = (
  occasion: ReturnMailKind,
  { name }: MailSender,
  given: ReturnRecord,
  orderNumber: number,
): Pick<MailContent, 'subject' | 'text'> => {
  const order = `order ${orderNumber}`;
  if (occasion === 'return_received')
    return {
      subject: `Your return of ${order}`,
      text: `${name} has received your request to return items of ${order}, and tells you as soon as it is decided.\n`,
    };
  if (occasion === 'credit_offered') {
    const amount = `${majorText(given.offer_amount!, currencyOf(given.currency))} ${given.currency}`;
    return {
      subject: `${name} offers you store credit`,
      text: `For your return of ${order}, ${name} offers you store credit of ${amount}. You can accept it in your account, and spend it at once.\n`,
    };
  }
  const decision = given.status === 'approved' ? 'approved' : 'declined';
  const note = given.note === null ? '' : `\n${given.note}\n`;
  return {
    subject: `Your return of ${order} is ${decision}`,
    text: `${name} has ${decision} your return of ${order}.\n${note}`,
  };
};

export const returnMail = (
  occasion: ReturnMailKind,
  storeProfile: MailSender,
  given: ReturnRecord,
  order: { readonly number: number; readonly email: string },
): Mail => ({
  kind: occasion,
  to: order.email,
  usefulMs: USEFUL_MS,
  void: false,
  ...contentOf(occasion, storeProfile, given, order.number),
  link: null,
  code: null,
  sender: { name: storeProfile.name, replyTo: storeProfile.contact_email },
});

type MailedStore = Pick<GetProfileResponse, 'name' | 'code' | 'contact_email'>;

const LINES_MAX = 50;

const linesText = ({ items }: StoreOrder): string => {
  const lines = items
    .slice(0, LINES_MAX)
    .map(({ quantity, name, variant_name }) => `${quantity} × ${variant_name ? `${name} – ${variant_name}` : name}`);
  const more = items.length - lines.length;
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n');
};

/** `due` is the unpaid amount, in major units. `publicUrl` is the root of the store's pages. */
export const orderMail = (
  order: StoreOrder,
  storeProfile: MailedStore,
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
    subject: `Your order ${number} at ${storeProfile.name}`,
    text: `${storeProfile.name} has received your order ${number}.\n\n${linesText(order)}\n\nTotal: ${amount(order.total_amount)}\n${open}\nFollow it at ${orderUrl(`${publicUrl}/s/${storeProfile.code}`, id)}\n`,
    link: null,
    code: null,
    sender: { name: storeProfile.name, replyTo: storeProfile.contact_email },
  };
};
