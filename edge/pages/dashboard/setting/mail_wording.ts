// Names of the kinds of mails. Pure.
import type { MailTemplateSource } from '#proto/client/dashboard.ts';

const NAMES: Readonly<Record<string, string>> = {
  order_placed: 'Order placed',
  order_paid: 'Order paid',
  order_shipped: 'Order shipped',
  order_delivered: 'Order delivered',
  order_cancelled: 'Order cancelled',
  order_refunded: 'Refund',
  payment_failed: 'Payment failed',
  gift_card: 'Gift card',
  return_received: 'Return requested',
  return_decided: 'Return decided',
  return_arrived: 'Return arrived',
  credit_offered: 'Store credit offered',
  dispute_opened: 'Dispute opened',
  dispute_changed: 'Dispute decided',
  back_in_stock: 'Back in stock',
  abandoned_cart: 'Abandoned cart',
  magic_link: 'Sign-in link',
  reset_password: 'New password',
  otp: 'One-time code',
  dashboard_invitation: 'Staff invitation',
  dashboard_link: 'Staff sign-in link',
};

export const mailName = (kind: string): string => NAMES[kind] ?? kind;

/** Whether the mails of a kind show an order, so that a preview can show one of the store's. */
export const showsOrder = (kind: string): boolean => kind.startsWith('order_') || kind === 'payment_failed';

export const mailState = ({ enabled }: Pick<MailTemplateSource, 'enabled'>): string => (enabled ? 'Sent' : 'Off');
