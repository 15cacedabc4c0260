// Builds shipping calculations and choices from a store's compiled configuration.
import type {
  CarrierRate,
  Coordinates,
  PickupLocation,
  ShippingCalculation,
  ShippingChoice,
} from '#proto/gen/shipping.ts';
import type { ShippingLocation } from '#proto/gen/shipping_config.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { distanceMeters, type Point } from '#values/geo/distance.ts';
import { majorText, toMajor } from '#values/money.ts';
import { translated } from '#values/translation.ts';
import {
  type Destination,
  type Engine,
  matchIn,
  type RateMatch,
  type ShippingAddress,
  type ShippingOrigin,
} from './engine.ts';
import { type DeliveryCalendar, promisedDays } from './promise.ts';
import { priceOption, priceRate, type ShippedBasket } from './rate.ts';

const wholeMeters = (meters: number): number => Math.floor(meters + 0.5);

const locationIn = (location: ShippingLocation, language: string | undefined): ShippingLocation =>
  translated(location, location.translations, language);

/** In the store's default language without `language`. */
export const pickupLocation = (
  known: ShippingLocation,
  meters: number | null,
  language: string | undefined,
): PickupLocation => {
  const location = locationIn(known, language);
  return {
    id: location.id!,
    name: location.name,
    address: location.address,
    latitude: location.latitude,
    longitude: location.longitude,
    hours: location.hours,
    instructions: location.instructions,
    distance_meters: meters === null ? undefined : wholeMeters(meters),
  };
};

const coordinatesOf = ({ point, country, postcode }: ShippingAddress): Coordinates => ({
  latitude: point.latitude,
  longitude: point.longitude,
  country_code: country ?? undefined,
  postal_code: postcode ?? undefined,
});

export const pickupChoices = (
  { pickups, currency }: Engine,
  from: Point | null = null,
  language?: string,
): ShippingChoice[] => {
  const choices: ShippingChoice[] = [];
  for (const { location, meters } of byDistance(pickups, from))
    choices.push({
      id: `pickup:${location.id}`,
      method: 'pickup',
      name: locationIn(location, language).name,
      fee: 0,
      currency: currency.code,
      is_free: true,
      estimate: null,
      available: true,
      location: pickupLocation(location, meters, language),
    });
  return choices;
};

interface PickupDistance {
  readonly location: ShippingLocation;
  readonly meters: number | null;
}

const byDistance = (locations: readonly ShippingLocation[], from: Point | null): PickupDistance[] => {
  if (from === null) return locations.map((location) => ({ location, meters: null }));
  const away = locations.map((location) => ({ location, meters: distanceMeters(location, from) }));
  return away.length > 1 ? away.sort((a, b) => a.meters - b.meters) : away;
};

const deliveryChoices = (
  { currency }: Engine,
  { rate, name }: RateMatch,
  basket: ShippedBasket,
  calendar: DeliveryCalendar | null,
): ShippingChoice[] => {
  const fee = priceRate(rate, basket);
  const place: ShippingChoice = {
    id: 'place',
    method: 'delivery',
    name: name ?? 'Delivery',
    fee: toMajor(fee, currency),
    currency: currency.code,
    is_free: fee === 0,
    estimate: rate.estimate,
    available: true,
    free_threshold: rate.freeThreshold === null ? null : toMajor(rate.freeThreshold, currency),
    ...promisedDays(rate.estimateDays, calendar),
  };
  const choices = [place];
  for (const option of rate.options) {
    const cost = priceOption(rate, option, basket);
    choices.push({
      id: `opt:${option.id}`,
      method: 'delivery',
      name: option.name,
      fee: toMajor(cost, currency),
      currency: currency.code,
      is_free: cost === 0,
      estimate: option.estimate,
      available: basket.orderTotal >= option.minimumOrder,
      ...promisedDays(option.estimateDays, calendar),
    });
  }
  return choices;
};

const freeDelivery = ({ currency }: Engine): ShippingChoice => ({
  id: 'place',
  method: 'delivery',
  name: 'Delivery',
  fee: 0,
  currency: currency.code,
  is_free: true,
  estimate: null,
  available: true,
  free_threshold: null,
});

const SOURCES = { zone: 'zone', distance: 'tier', fallback: 'fallback' } as const;

const reasonOf = ({ currency }: Engine, { rule, name, rate }: RateMatch, fee: number): string => {
  const where =
    rule === 'zone'
      ? `to ${name}`
      : rule === 'distance'
        ? `within the range ${name}`
        : 'outside of all zones and ranges';
  if (fee === 0) return `Delivery ${where} is free.`;
  const free =
    rate.freeThreshold === null ? '' : ` and is free from an order total of ${majorText(rate.freeThreshold, currency)}`;
  return `Delivery ${where} costs ${majorText(fee, currency)} ${currency.code}${free}.`;
};

export interface CalculationInput {
  readonly place: ShippingAddress;
  readonly basket: ShippedBasket;
  /** Rates that the carriers offer; null if no carrier was asked. */
  readonly rates: readonly CarrierRate[] | null;
  /** Null: no days are promised. */
  readonly calendar: DeliveryCalendar | null;
  /** Language of the answer; the store's default one if undefined. */
  readonly language?: string | undefined;
}

/**
 * Returns whether carriers may deliver: never for a `pickup_only` store; for a `local_only` store only within its own
 * delivery area.
 */
export const allowsCarriers = (engine: Engine, match: RateMatch | null): boolean =>
  engine.restriction === 'none' || (engine.restriction === 'local_only' && match !== null);

/** Tells whether the store, or a carrier that it connected, may deliver to addresses at a place. */
export const deliversTo = (engine: Engine, place: Destination, hasCarriers: boolean): boolean => {
  const match = engine.match(place, engine.origin(place.point));
  if (match !== null || engine.dependsOnPostcode(place)) return true;
  if (hasCarriers && allowsCarriers(engine, match)) return true;
  return !engine.configured && engine.restriction !== 'pickup_only';
};

const notDeliverable = (): Refusal =>
  refuse('shipping_not_deliverable', 'The store neither delivers to this address nor offers pickup.');

const rateSourceOf = (rates: readonly CarrierRate[] | null): 'carrier_account' | 'custom' | 'none' =>
  rates?.[0]?.source ?? 'none';

const ownDeliveryChoices = (
  engine: Engine,
  match: RateMatch | null,
  basket: ShippedBasket,
  calendar: DeliveryCalendar | null,
): ShippingChoice[] => {
  if (match) return deliveryChoices(engine, match, basket, calendar);
  return engine.configured || engine.restriction === 'pickup_only' ? [] : [freeDelivery(engine)];
};

export const shippingChoices = (
  engine: Engine,
  match: RateMatch | null,
  basket: ShippedBasket,
  from: Point | null,
  calendar: DeliveryCalendar | null,
  language: string | undefined,
): ShippingChoice[] => [
  ...ownDeliveryChoices(engine, match, basket, calendar),
  ...pickupChoices(engine, from, language),
];

export const calculate = (
  engine: Engine,
  origin: ShippingOrigin | null,
  known: RateMatch | null,
  { place, basket, rates, calendar, language }: CalculationInput,
): ShippingCalculation | Refusal => {
  const { currency, configured, restriction } = engine;
  const match = matchIn(known, language);
  const pickup = pickupChoices(engine, place.point, language);
  const choices = ownDeliveryChoices(engine, match, basket, calendar);
  const hasCarrierRates = (rates?.length ?? 0) > 0;
  if (choices.length === 0 && !hasCarrierRates && pickup.length === 0) return notDeliverable();
  const fee = choices[0]?.fee ?? null;
  return {
    fee,
    currency: currency.code,
    zone_name: match?.rule === 'zone' ? match.name : null,
    tier_name: match?.rule === 'distance' ? match.name : null,
    distance_meters: origin ? wholeMeters(origin.meters) : undefined,
    is_free: fee === 0,
    free_threshold: choices[0]?.free_threshold ?? null,
    configured,
    reason: match
      ? reasonOf(engine, match, priceRate(match.rate, basket))
      : choices.length > 0
        ? 'Delivery is free: the store has no delivery rates.'
        : hasCarrierRates
          ? 'Delivery by carrier: the store has no rate of its own for this address.'
          : 'The store does not deliver to this address; the order can be picked up.',
    applied_rule: match?.rule ?? 'none',
    coordinates: coordinatesOf(place),
    rate_source: match ? SOURCES[match.rule] : choices.length > 0 ? 'none' : rateSourceOf(rates),
    deliverable: choices.length > 0 || hasCarrierRates,
    restriction,
    options: [...choices, ...pickup],
    fulfilled_from:
      origin && engine.choosesNearest
        ? {
            id: origin.location.id!,
            name: locationIn(origin.location, language).name,
            latitude: origin.location.latitude,
            longitude: origin.location.longitude,
            distance_meters: wholeMeters(origin.meters),
          }
        : null,
    rates: rates ?? undefined,
  };
};

/** Calculates delivery without a location: only carrier rates are known, so `fee` is null. */
export const calculateCarriersOnly = (
  engine: Engine,
  rates: readonly CarrierRate[] | null,
): ShippingCalculation | Refusal => {
  const { currency, configured, restriction } = engine;
  const sends = allowsCarriers(engine, null);
  // Counts a `local_only` store as deliverable, because no location was sent that could exclude it.
  const deliverable = restriction !== 'pickup_only';
  if (!deliverable && engine.pickups.length === 0) return notDeliverable();
  return {
    fee: null,
    currency: currency.code,
    zone_name: null,
    tier_name: null,
    is_free: false,
    free_threshold: null,
    configured,
    reason: !sends
      ? 'The store does not deliver by carrier.'
      : rates?.length
        ? 'Delivery by carrier.'
        : 'No carrier offers delivery to this address.',
    applied_rule: 'none',
    coordinates: null,
    rate_source: rateSourceOf(rates),
    deliverable,
    restriction,
    fulfilled_from: null,
    ...(rates && { rates }),
  };
};
