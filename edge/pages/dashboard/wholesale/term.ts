// Payment terms of quotes, and the last moment of a quote's validity. Pure.
import { addDays, startOfDay } from '#edge/pages/design/day.ts';
import type { WholesaleQuote } from '#proto/client/dashboard.ts';

export type PaymentTerm = WholesaleQuote['payment_terms'];

export const TERMS: readonly { readonly value: PaymentTerm; readonly label: string }[] = [
  { value: 'due_on_receipt', label: 'Due on receipt' },
  { value: 'net_7', label: '7 days' },
  { value: 'net_15', label: '15 days' },
  { value: 'net_30', label: '30 days' },
  { value: 'net_60', label: '60 days' },
  { value: 'net_90', label: '90 days' },
];

export const termLabel = (term: string): string => TERMS.find(({ value }) => value === term)?.label ?? term;

export const termOf = (value: string): PaymentTerm => TERMS.find((each) => each.value === value)?.value ?? 'net_30';

/** The end of `day` in the zone. A day that is none is sent as it is, and refused by name. */
export const validUntil = (day: string, timeZone: string): string => startOfDay(addDays(day, 1), timeZone) ?? day;
