// Fetches rates and buys labels with Shippo's API: creates a shipment, whose response contains rates.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CarrierRate } from '#proto/gen/shipping.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { parseExact } from '#values/numeral.ts';
import { parcelText } from './parcel.ts';
import {
  amountOf,
  type Consignment,
  daysOf,
  type LabelPurchase,
  RATE_NOT_OFFERED,
  RATES_MAX,
  type RateOffer,
  type RateSource,
  textOf,
} from './source.ts';

export const SHIPPO_URL = 'https://api.goshippo.com';

const TIMEOUT_MS = 4_000;
const RESPONSE_BYTES_MAX = 1024 * 1024;
const LABELS_PER_PAGE = 100;
const API_VERSION = '2018-02-08';

interface Account {
  readonly baseUrl: string;
  readonly apiKey: string;
}

type UntypedJson = Readonly<Record<string, unknown>>;

interface ShippoRate {
  readonly object_id?: unknown;
  readonly amount?: unknown;
  readonly currency?: unknown;
  readonly amount_local?: unknown;
  readonly currency_local?: unknown;
  readonly provider?: unknown;
  readonly carrier_account?: unknown;
  readonly servicelevel?: { readonly name?: unknown; readonly token?: unknown } | null;
  readonly estimated_days?: unknown;
  readonly duration_terms?: unknown;
}

interface OfferedRate {
  readonly rate: CarrierRate;
  readonly objectId: string | null;
}

export const shippoSource = (outbound: Outbound, account: Account, consignment: Consignment): RateSource => {
  const body = JSON.stringify(shipmentBody(consignment));

  /** Sends a request. On failure `sent` tells whether Shippo may have processed it. */
  const request = async (
    path: string,
    text?: string,
  ): Promise<{ json: UntypedJson } | { error: string; sent: boolean }> => {
    const answer = await outbound.send({
      url: `${account.baseUrl.replace(/(?<!\/)\/+$/, '')}${path}`,
      environment: consignment.tenant.environment,
      method: text === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `ShippoToken ${account.apiKey}`,
        'content-type': 'application/json',
        'shippo-api-version': API_VERSION,
      },
      ...(text !== undefined && { body: text }),
      timeoutMs: TIMEOUT_MS,
      bytesMax: RESPONSE_BYTES_MAX,
    });
    if (answer instanceof OutboundFailure) return { error: answer.message, sent: answer.reason !== 'refused' };
    if (answer.status !== 200 && answer.status !== 201)
      return { error: `The carrier account responded with status ${answer.status}.`, sent: answer.status >= 500 };
    try {
      return { json: Object(parseExact(new TextDecoder().decode(answer.body))) };
    } catch {
      return { error: 'The response is not JSON.', sent: true };
    }
  };

  const createShipment = async (): Promise<readonly OfferedRate[] | string> => {
    if (consignment.sender === null) return 'The store has no location that ships orders.';
    const answer = await request('/shipments/', body);
    if ('error' in answer) return answer.error;
    const { rates } = answer.json;
    if (!Array.isArray(rates)) return 'The response has no list `rates`.';
    return rates.slice(0, RATES_MAX).flatMap((rate: ShippoRate | null) => offeredRateOf(rate, consignment) ?? []);
  };

  const findLabel = async (objectId: unknown): Promise<UntypedJson | null | { readonly unknown: string }> => {
    const query = new URLSearchParams({ rate: String(objectId), results: String(LABELS_PER_PAGE) });
    const answer = await request(`/transactions/?${query}`);
    if ('error' in answer) return { unknown: answer.error };
    const { results } = answer.json;
    if (!Array.isArray(results)) return { unknown: 'The response has no list `results`.' };
    const own = results.find((label: UntypedJson | null) => rateIdOf(label) === objectId);
    // Refused and voided labels cost nothing. If the label is missing from a full page, another page may contain it, so
    // the outcome is unknown.
    if (own) return FREE_LABEL_STATES.has(own.status) ? null : own;
    return results.length < LABELS_PER_PAGE ? null : { unknown: 'The label is not among the first page of labels.' };
  };

  return {
    body,
    fetchRates: async (): Promise<RateOffer> => {
      const found = await createShipment();
      return typeof found === 'string' ? found : found.map(({ rate }) => rate);
    },
    buyLabel: async (rateId, reference, note): Promise<LabelPurchase> => {
      const found = await createShipment();
      if (typeof found === 'string') return found;
      const chosen = found.find(({ rate }) => rate.rate_id === rateId);
      if (!chosen?.objectId) return RATE_NOT_OFFERED;
      await note(JSON.stringify(chosen));
      const order = { rate: chosen.objectId, label_file_type: 'PDF', metadata: reference.slice(0, 100), async: false };
      const answer = await request('/transactions/', JSON.stringify(order));
      if ('error' in answer) return answer.sent ? { unknown: answer.error } : answer.error;
      return purchaseOf(answer.json, chosen.rate);
    },
    findPurchase: async (purchase): Promise<LabelPurchase | null> => {
      const { rate, objectId } = JSON.parse(purchase) as OfferedRate;
      const own = await findLabel(objectId);
      return own === null || isUnknown(own) ? own : purchaseOf(own, rate);
    },
    voidLabel: async (purchase) => {
      const own = await findLabel((JSON.parse(purchase) as OfferedRate).objectId);
      if (own === null) return null;
      if (isUnknown(own)) return own.unknown;
      const answer = await request('/refunds/', JSON.stringify({ transaction: own.object_id, async: false }));
      if ('error' in answer) return answer.error;
      return ACCEPTED_REFUND_STATES.has(answer.json.status) ? null : 'The carrier did not void the label.';
    },
  };
};

const FREE_LABEL_STATES: ReadonlySet<unknown> = new Set(['ERROR', 'REFUNDED', 'REFUNDPENDING']);
const ACCEPTED_REFUND_STATES: ReadonlySet<unknown> = new Set(['QUEUED', 'PENDING', 'SUCCESS']);

const isUnknown = (found: UntypedJson | { readonly unknown: string }): found is { readonly unknown: string } =>
  typeof found.unknown === 'string';

/** Returns the rate's id, whether the label contains the id or the whole rate. */
const rateIdOf = (label: UntypedJson | null): unknown => {
  const rate = label?.rate;
  return typeof rate === 'object' && rate !== null ? (rate as UntypedJson).object_id : rate;
};

const purchaseOf = (
  { status, tracking_number, tracking_url_provider, label_url }: UntypedJson,
  rate: CarrierRate,
): LabelPurchase => {
  if (status !== 'SUCCESS')
    return status === 'ERROR' ? 'The carrier refused the label.' : { unknown: 'The label is still queued.' };
  const label = {
    tracking_number: textOf(tracking_number, 200),
    tracking_url: textOf(tracking_url_provider, 2_048),
    label_url: textOf(label_url, 2_048),
  };
  return { rate, label };
};

const recipientName = ({ first_name, last_name, company }: AddressInput): string =>
  [first_name, last_name].filter(Boolean).join(' ') || company || 'Recipient';

const shipmentBody = ({ sender, address_to: to, parcel }: Consignment) => ({
  address_from: sender && {
    name: sender.name,
    street1: sender.address.line1,
    city: sender.address.city,
    state: sender.address.state ?? '',
    zip: sender.address.postal_code ?? '',
    country: sender.address.country,
  },
  address_to: {
    name: recipientName(to),
    company: to.company ?? '',
    street1: to.line1 ?? '',
    street2: to.line2 ?? '',
    city: to.city ?? '',
    state: to.state ?? '',
    zip: to.postal_code ?? '',
    country: to.country?.toUpperCase() ?? '',
    phone: to.phone ?? '',
  },
  parcels: [
    {
      length: String(parcel.length_cm),
      width: String(parcel.width_cm),
      height: String(parcel.height_cm),
      distance_unit: 'cm',
      weight: String(parcel.weight_grams),
      mass_unit: 'g',
    },
  ],
  async: false,
});

const offeredRateOf = (rate: ShippoRate | null, { currency, parcel }: Consignment): OfferedRate | null => {
  // Shippo states a rate in the sender's and the recipient's currency; the store can charge only the one in its own
  // currency.
  const amount =
    rate?.currency === currency.code
      ? rate.amount
      : rate?.currency_local === currency.code
        ? rate.amount_local
        : undefined;
  const fee = amountOf(amount, currency);
  const token = textOf(rate?.servicelevel?.token, 80);
  if (fee === null || token === null) return null;
  const days = daysOf(rate?.estimated_days);
  return {
    objectId: textOf(rate?.object_id, 200),
    rate: {
      // Encodes service and parcel instead of Shippo's rate id, which changes with each shipment.
      rate_id: [textOf(rate?.carrier_account, 60), token, parcelText(parcel)].filter(Boolean).join(':'),
      source: 'carrier_account',
      carrier: textOf(rate?.provider, 100) ?? 'Carrier',
      service: textOf(rate?.servicelevel?.name, 200) ?? token,
      fee,
      currency: currency.code,
      estimate: textOf(rate?.duration_terms, 200) ?? (days === null ? null : `${days} ${days === 1 ? 'day' : 'days'}`),
      delivery_days: days,
      expires_at: null,
    },
  };
};
