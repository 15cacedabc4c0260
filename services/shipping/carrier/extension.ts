// Fetches rates from a merchant's own HTTPS endpoint. Requests are signed like webhooks.
import { randomUUID } from 'node:crypto';
import { isDateTime } from '#proto/format.ts';
import type { CarrierRate } from '#proto/gen/shipping.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import type { Clock } from '#runtime/process/clock.ts';
import { parseExact } from '#values/numeral.ts';
import {
  amountOf,
  type Consignment,
  daysOf,
  type LabelPurchase,
  NO_LABEL,
  RATE_NOT_OFFERED,
  RATES_MAX,
  type RateOffer,
  type RateSource,
  textOf,
} from './source.ts';

const TIMEOUT_MS = 3_000;
const RESPONSE_BYTES_MAX = 256 * 1024;
const RATE_ID_LENGTH_MAX = 200;

export interface Extension {
  readonly name: string;
  readonly url: string;
  readonly signingSecret: string;
}

type UntypedJson = Readonly<Record<string, unknown>>;

export const extensionSource = (
  outbound: Outbound,
  clock: Clock,
  extension: Extension,
  consignment: Consignment,
): RateSource => {
  const { tenant, currency, address_to, parcel, items, order_total } = consignment;
  const body = JSON.stringify({ address_to, parcel, items, order_total, currency: currency.code });
  const fetchRates = async (): Promise<RateOffer> => {
    const { signingSecret, url } = extension;
    const id = `msg_${randomUUID()}`;
    const answer = await outbound.send({
      url,
      environment: tenant.environment,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({ secrets: [signingSecret], id, body, nowMs: clock.real() }),
      },
      body,
      timeoutMs: TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
    });
    if (answer instanceof OutboundFailure) return answer.message;
    if (answer.status < 200 || answer.status > 299) return `The extension responded with status ${answer.status}.`;
    if (answer.truncated) return `The response exceeds ${RESPONSE_BYTES_MAX} bytes.`;
    return ratesOf(answer.body, extension, consignment);
  };
  return {
    body,
    fetchRates,
    // Sells no label, because the merchant ships the parcel.
    buyLabel: async (rateId): Promise<LabelPurchase> => {
      const offer = await fetchRates();
      if (typeof offer === 'string') return offer;
      const rate = offer.find(({ rate_id }) => rate_id === rateId);
      return rate ? { rate, label: NO_LABEL } : RATE_NOT_OFFERED;
    },
    findPurchase: () => Promise.resolve(null),
    voidLabel: () => Promise.resolve(null),
  };
};

const ratesOf = (bytes: Uint8Array, { name }: Extension, { currency }: Consignment): RateOffer => {
  let rates: unknown;
  try {
    ({ rates } = parseExact(new TextDecoder().decode(bytes)) as UntypedJson);
  } catch {
    return 'The response is not JSON.';
  }
  if (!Array.isArray(rates)) return 'The response has no list `rates`.';
  return rates.slice(0, RATES_MAX).flatMap((rate: UntypedJson | null): CarrierRate[] => {
    const fee = amountOf(rate?.fee, currency);
    const id = rate?.rate_id;
    if (fee === null || typeof id !== 'string' || id === '' || id.length > RATE_ID_LENGTH_MAX) return [];
    if (rate?.currency !== undefined && String(rate.currency).toUpperCase() !== currency.code) return [];
    const expires = rate?.expires_at;
    return [
      {
        rate_id: id,
        source: 'custom',
        carrier: textOf(rate?.carrier, 100) ?? name,
        service: textOf(rate?.service, 200) ?? id,
        fee,
        currency: currency.code,
        estimate: textOf(rate?.estimate, 200),
        delivery_days: daysOf(rate?.delivery_days),
        expires_at: typeof expires === 'string' && isDateTime(expires) ? new Date(expires).toISOString() : null,
      },
    ];
  });
};
