// What a shopper is mailed of a return, in words.
import type { GetIdentityResponse } from '#proto/gen/store_directory.ts';
import type { Mail, MailContent } from '#services/commerce/mail.ts';
import { currencyOf } from '#values/currency.ts';
import { majorText } from '#values/money.ts';
import type { ReturnRecord } from './return.ts';

export type MailSender = Pick<GetIdentityResponse, 'name' | 'contact_email'>;
export type ReturnMailKind = Extract<Mail['kind'], 'return_received' | 'return_decided' | 'credit_offered'>;

const USEFUL_MS = 7 * 24 * 3_600_000;

const wordsOf = (
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

export const returnLetter = (
  occasion: ReturnMailKind,
  shop: MailSender,
  given: ReturnRecord,
  order: { readonly number: number; readonly email: string },
): Mail => ({
  kind: occasion,
  to: order.email,
  usefulMs: USEFUL_MS,
  void: false,
  ...wordsOf(occasion, shop, given, order.number),
  link: null,
  code: null,
  sender: { name: shop.name, replyTo: shop.contact_email },
});
