// Describes a promotion in words: its discount and its time.
import type { Formats } from '#edge/pages/design/format.ts';
import type { StorePromotion } from '#proto/client/dashboard.ts';

export const giftText = (
  { type, value, currency, buy, get }: StorePromotion,
  { money, number, percent }: Formats,
): string => {
  if (type === 'percentage') return `${percent((value ?? 0) / 100)} off`;
  if (type === 'fixed_amount') return `${money(value ?? 0, currency)} off`;
  if (type === 'free_shipping') return 'Free delivery';
  const share = get?.discount_percent ?? 100;
  const kind = share === 100 ? 'free' : `${percent(share / 100)} off`;
  return `Buy ${number(buy?.quantity ?? 0)}, get ${number(get?.quantity ?? 0)} ${kind}`;
};

export const timeText = (
  { starts_at, ends_at }: Pick<StorePromotion, 'starts_at' | 'ends_at'>,
  { moment }: Formats,
): string => {
  if (starts_at === null && ends_at === null) return 'Always';
  if (ends_at === null) return `From ${moment(starts_at!)}`;
  return starts_at === null ? `Until ${moment(ends_at)}` : `${moment(starts_at)} to ${moment(ends_at)}`;
};
