// Translates PayPal's orders, captures, refunds and events into the common statuses of payments and refunds. Pure.
import { parseCurrency } from '#values/currency.ts';
import { toMinor } from '#values/money.ts';
import { plainNumber } from '#values/numeral.ts';
import { type ProviderAnswer, textOf } from './http.ts';
import type { ProviderRefundStatus, ProviderReport, ProviderStatus } from './provider.ts';

interface Money {
  readonly currency_code?: unknown;
  readonly value?: unknown;
}

const minorOf = (money: Money | undefined): { amount: number; currency: string } | null => {
  const currency = parseCurrency(textOf(money?.currency_code));
  const value = plainNumber(money?.value);
  const amount = currency === null || value === null ? null : toMinor(value, currency);
  return currency === null || amount === null ? null : { amount, currency: currency.code };
};

interface Capture {
  readonly id?: unknown;
  readonly status?: unknown;
  readonly amount?: Money;
  readonly custom_id?: unknown;
}

export const captureFinding = (capture: Capture): ProviderStatus => {
  const status = textOf(capture.status);
  if (status === 'COMPLETED' || status === 'PARTIALLY_REFUNDED' || status === 'REFUNDED')
    return { status: 'succeeded', ...minorOf(capture.amount), chargeId: textOf(capture.id) };
  if (status === 'DECLINED' || status === 'FAILED') return { status: 'failed', failure: status.toLowerCase() };
  return { status: 'pending' };
};

interface Authorization extends Capture {
  readonly expiration_time?: unknown;
}

export const authorizationFinding = (authorization: Authorization): ProviderStatus => {
  const status = textOf(authorization.status);
  if (status === 'DENIED') return { status: 'failed', failure: 'denied' };
  if (status === 'VOIDED' || status === 'EXPIRED') return { status: 'voided' };
  if (status !== 'CREATED') return { status: 'pending' };
  const end = Date.parse(textOf(authorization.expiration_time));
  return {
    status: 'authorized',
    ...minorOf(authorization.amount),
    chargeId: textOf(authorization.id),
    ...(Number.isNaN(end) ? {} : { captureBefore: new Date(end) }),
  };
};

export const orderFinding = (json: ProviderAnswer['json']): ProviderStatus => {
  const authorization = json.purchase_units?.[0]?.payments?.authorizations?.[0] as Authorization | undefined;
  const capture = json.purchase_units?.[0]?.payments?.captures?.[0] as Capture | undefined;
  if (capture) return captureFinding(capture);
  if (authorization) return authorizationFinding(authorization);
  return { status: json.status === 'VOIDED' ? 'expired' : 'pending' };
};

export const refundFinding = (json: ProviderAnswer['json']): ProviderRefundStatus => {
  const status = textOf(json.status);
  return {
    status: status === 'COMPLETED' ? 'succeeded' : status === 'FAILED' || status === 'CANCELLED' ? 'failed' : 'pending',
    providerRefund: textOf(json.id) || null,
  };
};

export const reportOf = (event: ProviderAnswer['json']): ProviderReport => {
  const resource = event.resource ?? {};
  const order = textOf(resource.supplementary_data?.related_ids?.order_id);
  const reference = textOf(resource.custom_id);
  switch (event.event_type) {
    case 'CHECKOUT.ORDER.APPROVED':
    case 'CHECKOUT.ORDER.COMPLETED':
      return { kind: 'look', of: { sessionId: textOf(resource.id) } };
    case 'PAYMENT.AUTHORIZATION.CREATED':
    case 'PAYMENT.AUTHORIZATION.VOIDED':
      return { kind: 'look', of: order ? { sessionId: order } : { reference } };
    case 'PAYMENT.CAPTURE.COMPLETED':
    case 'PAYMENT.CAPTURE.DENIED':
    case 'PAYMENT.CAPTURE.DECLINED':
    case 'PAYMENT.CAPTURE.PENDING':
      return {
        kind: 'payment',
        of: order ? { sessionId: order } : { reference },
        providerStatus: captureFinding(resource),
      };
    case 'PAYMENT.CAPTURE.REFUNDED':
    case 'PAYMENT.CAPTURE.REVERSED': {
      const up = (resource.links ?? []).find(({ rel }: { rel?: unknown }) => rel === 'up');
      const chargeId = /\/captures\/([^/?]+)/.exec(textOf(up?.href))?.[1];
      if (!chargeId) return { kind: 'nothing' };
      const { amount = null, currency = null } = minorOf(resource.amount) ?? {};
      const id = /^stoa-refund-(.+)$/.exec(textOf(resource.custom_id))?.[1] ?? null;
      const providerStatus = refundFinding({ ...resource, status: 'COMPLETED' });
      return { kind: 'refund', of: { chargeId }, id, amount, currency, ...providerStatus };
    }
    default:
      return { kind: 'nothing' };
  }
};
