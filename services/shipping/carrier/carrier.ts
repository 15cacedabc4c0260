// Asks all of a store's providers at once. Where one does not answer, what it offered last for the very same consignment
// is shown instead, never charged: a charge fetches again.
import type { CarrierRate, Parcel } from '#proto/gen/shipping.ts';
import { type Refusal, refuse, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { type CarrierRecord, secretContext } from '#services/shipping/table/provider.ts';
import { extensionSource } from './extension.ts';
import { shippoSource } from './shippo.ts';
import { type Consignment, GONE, type Label, type RateOffer, type RateSource } from './source.ts';

export interface Carriers {
  /** Cheapest first; what was kept stands in for who does not answer. */
  rates(providers: readonly CarrierRecord[], consignment: Consignment): Promise<CarrierRate[]>;
  /** One rate, from its source as it stands now. */
  fetch(
    providers: readonly CarrierRecord[],
    consignment: Consignment,
    wanted: Pick<CarrierRate, 'rate_id' | 'source'>,
  ): Promise<CarrierRate | Refusal>;
  /** What a basket was packed in when a rate was last offered for it: an extension's rates do not say so themselves. */
  parcelOf(consigned: Pick<Consignment, 'tenant' | 'items'>, rateId: string): Parcel | null;
  /** Its label, bought at its source. Where it may have been bought without our knowing it throws. */
  buy(
    providers: readonly CarrierRecord[],
    consignment: Consignment,
    wanted: Pick<CarrierRate, 'rate_id' | 'source'>,
    reference: string,
    note: (purchase: string) => Promise<void>,
  ): Promise<BoughtLabel | Refusal>;
  /** What became of a purchase whose answer was lost; null where nothing was bought. Throws while that is not known. */
  look(providers: readonly CarrierRecord[], consignment: Consignment, purchase: string): Promise<BoughtLabel | null>;
  /** Whether a label that was bought costs nothing any more. */
  voidLabel(providers: readonly CarrierRecord[], consignment: Consignment, purchase: string): Promise<boolean>;
}

export interface BoughtLabel {
  readonly rate: CarrierRate;
  readonly label: Label;
}

const KEPT_MAX = 5_000;
const KEPT_MS = 15 * 60_000;
/** Calls under way to one provider; beyond it what was kept is shown. */
const CALLS_MAX = 20;

export const openCarriers = (
  { seal, clock, log }: Pick<Runtime, 'seal' | 'clock' | 'log'>,
  outbound: Outbound,
): Carriers => {
  const kept = new Map<TenantKey, { readonly rates: readonly CarrierRate[]; readonly until: number }>();
  const parcels = new Map<TenantKey, Parcel>();
  const calls = new Map<TenantKey, number>();
  const underWay = new Map<TenantKey, Promise<RateOffer>>();

  const sourceOf = (provider: CarrierRecord, consignment: Consignment): RateSource => {
    const secret = seal.open(provider.secret, secretContext(consignment.tenant, provider.id));
    if (provider.kind === 'carrier_account')
      return shippoSource(outbound, { baseUrl: provider.url, apiKey: secret }, consignment);
    const extension = { name: provider.name, url: provider.url, signingSecret: secret };
    return extensionSource(outbound, clock, extension, consignment);
  };

  const keep = (key: TenantKey, rates: readonly CarrierRate[]): void => {
    kept.delete(key);
    kept.set(key, { rates, until: clock.real() + KEPT_MS });
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value!);
  };

  const call = async (provider: CarrierRecord, source: RateSource, consignment: Consignment): Promise<RateOffer> => {
    const name = tenantKey(consignment.tenant, provider.id);
    const running = calls.get(name) ?? 0;
    if (running >= CALLS_MAX) return 'Too many calls are under way.';
    calls.set(name, running + 1);
    try {
      const offer = await source.ask();
      if (typeof offer === 'string')
        log.warn({ provider: provider.id, kind: provider.kind, problem: offer }, 'a shipping provider gave no rates');
      return typeof offer === 'string' ? offer : current(offer, consignment);
    } finally {
      const left = (calls.get(name) ?? 1) - 1;
      if (left > 0) calls.set(name, left);
      else calls.delete(name);
    }
  };

  const current = (rates: readonly CarrierRate[], { tenant }: Consignment): CarrierRate[] => {
    const now = clock.now(tenant).getTime();
    return rates.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now);
  };

  const offered = async (provider: CarrierRecord, consignment: Consignment): Promise<readonly CarrierRate[]> => {
    const source = sourceOf(provider, consignment);
    const key = tenantKey(consignment.tenant, `${provider.id} ${sha256(source.body).toString('base64')}`);
    let asking = underWay.get(key);
    if (!asking) {
      asking = call(provider, source, consignment).finally(() => underWay.delete(key));
      underWay.set(key, asking);
    }
    const offer = await asking;
    if (typeof offer !== 'string') {
      keep(key, offer);
      for (const { rate_id } of offer) {
        const packed = packingKey(consignment, rate_id);
        parcels.delete(packed);
        parcels.set(packed, consignment.parcel);
        if (parcels.size > KEPT_MAX) parcels.delete(parcels.keys().next().value!);
      }
      return offer;
    }
    const last = kept.get(key);
    return last && last.until > clock.real() ? current(last.rates, consignment) : [];
  };

  return {
    rates: async (providers, consignment) => {
      const offers = await Promise.all(providers.map((provider) => offered(provider, consignment)));
      return cheapestFirst(offers.flat());
    },
    fetch: async (providers, consignment, { rate_id, source }) => {
      const asked = providers.filter((provider) => provider.kind === source);
      const offers = await Promise.all(
        asked.map((provider) => call(provider, sourceOf(provider, consignment), consignment)),
      );
      const found = cheapestFirst(offers.flatMap((offer) => (typeof offer === 'string' ? [] : offer))).find(
        (rate) => rate.rate_id === rate_id,
      );
      if (found) return found;
      return offers.some((offer) => typeof offer === 'string') ? silent() : gone();
    },
    parcelOf: (consigned, rateId) => parcels.get(packingKey(consigned, rateId)) ?? null,
    buy: async (providers, consignment, { rate_id, source }, reference, note) => {
      let answered = true;
      for (const provider of providers) {
        if (provider.kind !== source) continue;
        const noted = (purchase: string) => note(JSON.stringify({ provider: provider.id, purchase }));
        const purchase = await sourceOf(provider, consignment).buy(rate_id, reference, noted);
        if (typeof purchase !== 'string' && 'rate' in purchase) return purchase;
        log.warn({ provider: provider.id, purchase }, 'a label was not bought');
        if (typeof purchase !== 'string')
          throw new Error(`It is not known whether a label was bought: ${purchase.unknown}`);
        answered &&= purchase === GONE;
      }
      return answered ? gone() : unsold();
    },
    look: async (providers, consignment, noted) => {
      const { provider: id, purchase } = JSON.parse(noted) as { provider: string; purchase: string };
      const provider = providers.find((each) => each.id === id);
      if (!provider) throw new Error('The account that a label may have been bought from was disconnected.');
      const found = await sourceOf(provider, consignment).look(purchase);
      if (found === null || (typeof found !== 'string' && 'rate' in found)) return found;
      throw new Error(
        `It is not known whether a label was bought: ${typeof found === 'string' ? found : found.unknown}`,
      );
    },
    voidLabel: async (providers, consignment, noted) => {
      const { provider: id, purchase } = JSON.parse(noted) as { provider: string; purchase: string };
      const provider = providers.find((each) => each.id === id);
      const problem = provider
        ? await sourceOf(provider, consignment).voidLabel(purchase)
        : 'The account that it was bought from was disconnected.';
      if (problem !== null) log.error({ provider: id, problem, purchase }, 'failed to void a label');
      return problem === null;
    },
  };
};

const packingKey = ({ tenant, items }: Pick<Consignment, 'tenant' | 'items'>, rateId: string): TenantKey => {
  const lines = items.map(({ variant_id, quantity }) => `${variant_id.toLowerCase()}:${quantity}`);
  return tenantKey(tenant, `${rateId} ${lines.sort().join(' ')}`);
};

const gone = (): Refusal => refuse('not_found', GONE, { param: 'shipping_rate_id' });

const silent = (): Refusal =>
  refuse('service_unavailable', 'The rate could not be fetched again from its source.', { retryAfterS: 5 });

const unsold = (): Refusal =>
  refuse('service_unavailable', 'The carrier did not sell a label for this rate.', { retryAfterS: 5 });

/** Each rate once. */
const cheapestFirst = (rates: readonly CarrierRate[]): CarrierRate[] => {
  const sorted = rates.toSorted((a, b) => a.fee - b.fee || (a.rate_id < b.rate_id ? -1 : 1));
  const seen = new Set<string>();
  return sorted.filter(({ source, rate_id }) => seen.size !== seen.add(`${source} ${rate_id}`).size);
};
