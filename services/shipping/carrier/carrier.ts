// Fetches rates and labels from a store's shipping providers concurrently. If a provider is unavailable, quotes use
// cached rates; a charge always fetches the rate again.
import type { CarrierRate, Parcel } from '#proto/gen/shipping.ts';
import { Refusal, refuse, type TenantKey, tenantKey } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import type { Outbound } from '#runtime/outbound/outbound.ts';
import { sha256 } from '#runtime/process/seal.ts';
import { type CarrierRecord, secretContext } from '#services/shipping/table/provider.ts';
import { RecentMap } from '#values/recent_map.ts';
import { extensionSource } from './extension.ts';
import { shippoSource } from './shippo.ts';
import { type Consignment, type Label, RATE_NOT_OFFERED, type RateOffer, type RateSource } from './source.ts';

export interface Carriers {
  rates(providers: readonly CarrierRecord[], consignment: Consignment): Promise<CarrierRate[]>;
  refetchRate(
    providers: readonly CarrierRecord[],
    consignment: Consignment,
    rate: Pick<CarrierRate, 'rate_id' | 'source'>,
  ): Promise<CarrierRate | Refusal>;
  /**
   * Returns the parcel for which this rate was last offered, because the rate ids of extensions do not encode parcels.
   */
  parcelOf(consigned: Pick<Consignment, 'tenant' | 'items'>, rateId: string): Parcel | null;
  /** Buys a label. Throws if the outcome is unknown, because the label may have been bought. */
  buyLabel(
    providers: readonly CarrierRecord[],
    consignment: Consignment,
    rate: Pick<CarrierRate, 'rate_id' | 'source'>,
    reference: string,
    note: (purchase: string) => Promise<void>,
  ): Promise<BoughtLabel | Refusal>;
  /**
   * Returns the outcome of a purchase whose response was lost; null if no label was bought. Throws while the outcome is
   * unknown.
   */
  findPurchase(
    providers: readonly CarrierRecord[],
    consignment: Consignment,
    purchase: string,
  ): Promise<BoughtLabel | null>;
  voidLabel(providers: readonly CarrierRecord[], consignment: Consignment, purchase: string): Promise<boolean>;
}

export interface BoughtLabel {
  readonly rate: CarrierRate;
  readonly label: Label;
}

const CACHED_MAX = 5_000;
const RATE_CACHE_MS = 15 * 60_000;
/** Maximum number of concurrent calls to one provider; beyond that, quotes use cached rates. */
const CALLS_MAX = 20;

interface RateRequest {
  readonly provider: CarrierRecord;
  readonly source: RateSource;
  readonly consignment: Consignment;
}

export const openCarriers = (
  { seal, clock, log }: Pick<Runtime, 'seal' | 'clock' | 'log'>,
  outbound: Outbound,
): Carriers => {
  const parcelByRate = new RecentMap<TenantKey, Parcel>(CACHED_MAX);
  const callCounts = new Map<TenantKey, number>();

  const sourceOf = (provider: CarrierRecord, consignment: Consignment): RateSource => {
    const secret = seal.open(provider.secret, secretContext(consignment.tenant, provider.id));
    if (provider.kind === 'carrier_account')
      return shippoSource(outbound, { baseUrl: provider.url, apiKey: secret }, consignment);
    const extension = { name: provider.name, url: provider.url, signingSecret: secret };
    return extensionSource(outbound, clock, extension, consignment);
  };

  const requestRates = async (
    provider: CarrierRecord,
    source: RateSource,
    consignment: Consignment,
  ): Promise<RateOffer> => {
    const name = tenantKey(consignment.tenant, provider.id);
    const running = callCounts.get(name) ?? 0;
    if (running >= CALLS_MAX) return `${CALLS_MAX} calls to the provider are already in progress.`;
    callCounts.set(name, running + 1);
    try {
      const offer = await source.fetchRates();
      if (typeof offer === 'string')
        log.warn(
          { provider: provider.id, kind: provider.kind, error: offer },
          'failed to fetch rates of a shipping provider',
        );
      return typeof offer === 'string' ? offer : unexpired(offer, consignment);
    } finally {
      const left = (callCounts.get(name) ?? 1) - 1;
      if (left > 0) callCounts.set(name, left);
      else callCounts.delete(name);
    }
  };

  const unexpired = (rates: readonly CarrierRate[], { tenant }: Consignment): CarrierRate[] => {
    const now = clock.now(tenant).getTime();
    return rates.filter(({ expires_at }) => expires_at === null || Date.parse(expires_at) > now);
  };

  const offers = new LookupCache<TenantKey, readonly CarrierRate[], RateRequest, Refusal>({
    now: () => clock.real(),
    entriesMax: CACHED_MAX,
    load: async (_, { provider, source, consignment }) => {
      const offer = await requestRates(provider, source, consignment);
      return typeof offer === 'string' ? sourceUnavailable() : { value: offer, ttlMs: RATE_CACHE_MS };
    },
  });

  const ratesOf = async (provider: CarrierRecord, consignment: Consignment): Promise<readonly CarrierRate[]> => {
    const source = sourceOf(provider, consignment);
    const key = tenantKey(consignment.tenant, `${provider.id} ${sha256(source.body).toString('base64')}`);
    const offer = await offers.reload(key, { provider, source, consignment });
    if (offer instanceof Refusal) {
      const last = offers.peek(key);
      return last && clock.real() < last.staleAt ? unexpired(last.value, consignment) : [];
    }
    for (const { rate_id } of offer) parcelByRate.set(parcelKey(consignment, rate_id), consignment.parcel);
    return offer;
  };

  return {
    rates: async (providers, consignment) => {
      const offers = await Promise.all(providers.map((provider) => ratesOf(provider, consignment)));
      return cheapestFirst(offers.flat());
    },
    refetchRate: async (providers, consignment, { rate_id, source }) => {
      const asked = providers.filter((provider) => provider.kind === source);
      const offers = await Promise.all(
        asked.map((provider) => requestRates(provider, sourceOf(provider, consignment), consignment)),
      );
      const found = cheapestFirst(offers.flatMap((offer) => (typeof offer === 'string' ? [] : offer))).find(
        (rate) => rate.rate_id === rate_id,
      );
      if (found) return found;
      return offers.some((offer) => typeof offer === 'string') ? sourceUnavailable() : rateNotOffered();
    },
    parcelOf: (consigned, rateId) => parcelByRate.get(parcelKey(consigned, rateId)) ?? null,
    buyLabel: async (providers, consignment, { rate_id, source }, reference, note) => {
      let answered = true;
      for (const provider of providers) {
        if (provider.kind !== source) continue;
        const noted = (purchase: string) => note(JSON.stringify({ provider: provider.id, purchase }));
        const purchase = await sourceOf(provider, consignment).buyLabel(rate_id, reference, noted);
        if (typeof purchase !== 'string' && 'rate' in purchase) return purchase;
        log.warn({ provider: provider.id, purchase }, 'failed to buy a label');
        if (typeof purchase !== 'string') throw new Error(`Unknown whether a label was bought: ${purchase.unknown}`);
        answered &&= purchase === RATE_NOT_OFFERED;
      }
      return answered ? rateNotOffered() : noLabelSold();
    },
    findPurchase: async (providers, consignment, noted) => {
      const { provider: id, purchase } = JSON.parse(noted) as { provider: string; purchase: string };
      const provider = providers.find((each) => each.id === id);
      if (!provider) throw new Error('The carrier account that a label may have been bought from is disconnected.');
      const found = await sourceOf(provider, consignment).findPurchase(purchase);
      if (found === null || (typeof found !== 'string' && 'rate' in found)) return found;
      throw new Error(`Unknown whether a label was bought: ${typeof found === 'string' ? found : found.unknown}`);
    },
    voidLabel: async (providers, consignment, noted) => {
      const { provider: id, purchase } = JSON.parse(noted) as { provider: string; purchase: string };
      const provider = providers.find((each) => each.id === id);
      const error = provider
        ? await sourceOf(provider, consignment).voidLabel(purchase)
        : 'The carrier account that the label was bought from is disconnected.';
      if (error !== null) log.error({ provider: id, error, purchase }, 'failed to void a label');
      return error === null;
    },
  };
};

const parcelKey = ({ tenant, items }: Pick<Consignment, 'tenant' | 'items'>, rateId: string): TenantKey => {
  const lines = items.map(({ variant_id, quantity }) => `${variant_id.toLowerCase()}:${quantity}`);
  return tenantKey(tenant, `${rateId} ${lines.sort().join(' ')}`);
};

const rateNotOffered = (): Refusal => refuse('not_found', RATE_NOT_OFFERED, { param: 'shipping_rate_id' });

const sourceUnavailable = (): Refusal =>
  refuse('service_unavailable', 'The carrier did not confirm the rate. Retry in a few seconds.', { retryAfterS: 5 });

const noLabelSold = (): Refusal =>
  refuse('service_unavailable', 'The carrier did not sell a label for this rate. Retry in a few seconds.', {
    retryAfterS: 5,
  });

const cheapestFirst = (rates: readonly CarrierRate[]): CarrierRate[] => {
  const sorted = rates.toSorted((a, b) => a.fee - b.fee || (a.rate_id < b.rate_id ? -1 : 1));
  const seen = new Set<string>();
  return sorted.filter(({ source, rate_id }) => seen.size !== seen.add(`${source} ${rate_id}`).size);
};
