// Rates of a carrier account at Shippo, or at another that speaks its API: a shipment is made, and its rates are read.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { CarrierRate } from '#proto/gen/shipping.ts';
import { type Outbound, OutboundFailure } from '#runtime/outbound/outbound.ts';
import { parseExact } from '#values/numeral.ts';
import { parcelText } from './parcel.ts';
import {
  amountOf,
  type Consignment,
  daysOf,
  GONE,
  type LabelPurchase,
  RATES_MAX,
  type RateOffer,
  type RateSource,
  textOf,
} from './source.ts';

export const SHIPPO_URL = 'https://api.goshippo.com';

const TIMEOUT_MS = 4_000;
const ANSWER_BYTES_MAX = 1024 * 1024;
/** Labels looked through for a lost one. */
const LOOKED_AT = 100;
const API_VERSION = '2018-02-08';

interface Account {
  readonly baseUrl: string;
  readonly apiKey: string;
}

type Loose = Readonly<Record<string, unknown>>;

/** As far as it is looked at. */
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

/** A rate as it is shown, and the id that Shippo sells it by. */
interface Found {
  readonly rate: CarrierRate;
  readonly objectId: string | null;
}

export const shippoSource = (outbound: Outbound, account: Account, consignment: Consignment): RateSource => {
  const body = JSON.stringify(shipmentOf(consignment));

  /** The answer as JSON; a text where there is none, with whether anything was sent. */
  const ask = async (path: string, text?: string): Promise<{ json: Loose } | { problem: string; sent: boolean }> => {
    const answer = await outbound.send({
      url: `${account.baseUrl.replace(/\/+$/, '')}${path}`,
      environment: consignment.tenant.environment,
      method: text === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `ShippoToken ${account.apiKey}`,
        'content-type': 'application/json',
        'shippo-api-version': API_VERSION,
      },
      ...(text !== undefined && { body: text }),
      timeoutMs: TIMEOUT_MS,
      bytesMax: ANSWER_BYTES_MAX,
    });
    if (answer instanceof OutboundFailure) return { problem: answer.message, sent: answer.reason !== 'refused' };
    if (answer.status !== 200 && answer.status !== 201)
      return { problem: `Answered with status ${answer.status}.`, sent: answer.status >= 500 };
    try {
      return { json: Object(parseExact(new TextDecoder().decode(answer.body))) };
    } catch {
      return { problem: 'The answer is no JSON.', sent: true };
    }
  };

  const ship = async (): Promise<readonly Found[] | string> => {
    if (consignment.sender === null) return 'The store has no location that orders are sent from.';
    const answer = await ask('/shipments/', body);
    if ('problem' in answer) return answer.problem;
    const { rates } = answer.json;
    if (!Array.isArray(rates)) return 'The answer holds no rates.';
    return rates.slice(0, RATES_MAX).flatMap((rate: ShippoRate | null) => foundOf(rate, consignment) ?? []);
  };

  /** The label that was bought by a rate; null where there is none. */
  const find = async (objectId: unknown): Promise<Loose | null | { readonly unknown: string }> => {
    const query = new URLSearchParams({ rate: String(objectId), results: String(LOOKED_AT) });
    const answer = await ask(`/transactions/?${query}`);
    if ('problem' in answer) return { unknown: answer.problem };
    const { results } = answer.json;
    if (!Array.isArray(results)) return { unknown: 'The answer holds no labels.' };
    const own = results.find((label: Loose | null) => rateOf(label) === objectId);
    // A refused or voided one is not ours to pay for. A full page of others says nothing.
    if (own) return UNPAID.has(own.status) ? null : own;
    return results.length < LOOKED_AT ? null : { unknown: 'There are too many labels.' };
  };

  return {
    body,
    ask: async (): Promise<RateOffer> => {
      const found = await ship();
      return typeof found === 'string' ? found : found.map(({ rate }) => rate);
    },
    buy: async (rateId, reference, note): Promise<LabelPurchase> => {
      const found = await ship();
      if (typeof found === 'string') return found;
      const chosen = found.find(({ rate }) => rate.rate_id === rateId);
      if (!chosen?.objectId) return GONE;
      await note(JSON.stringify(chosen));
      const order = { rate: chosen.objectId, label_file_type: 'PDF', metadata: reference.slice(0, 100), async: false };
      const answer = await ask('/transactions/', JSON.stringify(order));
      if ('problem' in answer) return answer.sent ? { unknown: answer.problem } : answer.problem;
      return purchaseOf(answer.json, chosen.rate);
    },
    look: async (purchase): Promise<LabelPurchase | null> => {
      const { rate, objectId } = JSON.parse(purchase) as Found;
      const own = await find(objectId);
      return own === null || isUnknown(own) ? own : purchaseOf(own, rate);
    },
    voidLabel: async (purchase) => {
      const own = await find((JSON.parse(purchase) as Found).objectId);
      if (own === null) return null;
      if (isUnknown(own)) return own.unknown;
      const answer = await ask('/refunds/', JSON.stringify({ transaction: own.object_id, async: false }));
      if ('problem' in answer) return answer.problem;
      // The carrier decides on a pending one within days.
      return VOIDING.has(answer.json.status) ? null : 'The carrier did not void the label.';
    },
  };
};

/** States of a label that costs nothing. */
const UNPAID: ReadonlySet<unknown> = new Set(['ERROR', 'REFUNDED', 'REFUNDPENDING']);
/** States of a refund that the carrier took. */
const VOIDING: ReadonlySet<unknown> = new Set(['QUEUED', 'PENDING', 'SUCCESS']);

const isUnknown = (found: Loose | { readonly unknown: string }): found is { readonly unknown: string } =>
  typeof found.unknown === 'string';

/** The id of the rate that a label was bought by: told alone or with the rate. */
const rateOf = (label: Loose | null): unknown => {
  const rate = label?.rate;
  return typeof rate === 'object' && rate !== null ? (rate as Loose).object_id : rate;
};

const purchaseOf = (
  { status, tracking_number, tracking_url_provider, label_url }: Loose,
  rate: CarrierRate,
): LabelPurchase => {
  if (status !== 'SUCCESS') return status === 'ERROR' ? 'The carrier refused the label.' : { unknown: 'Queued.' };
  const label = {
    tracking_number: textOf(tracking_number, 200),
    tracking_url: textOf(tracking_url_provider, 2_048),
    label_url: textOf(label_url, 2_048),
  };
  return { rate, label };
};

const name = ({ first_name, last_name, company }: AddressInput): string =>
  [first_name, last_name].filter(Boolean).join(' ') || company || 'Recipient';

const shipmentOf = ({ sender, address_to: to, parcel }: Consignment) => ({
  address_from: sender && {
    name: sender.name,
    street1: sender.address.line1,
    city: sender.address.city,
    state: sender.address.state ?? '',
    zip: sender.address.postal_code ?? '',
    country: sender.address.country,
  },
  address_to: {
    name: name(to),
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

const foundOf = (rate: ShippoRate | null, { currency, parcel }: Consignment): Found | null => {
  // Shippo says a price in the sender's currency and in the recipient's: only in the store's can it be charged.
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
      // A shipment's rates get new ids each time: this one names the same service and parcel when it is fetched again.
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
