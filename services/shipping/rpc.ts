// Handles the public rpcs of shipping: calculation, configuration, pickup locations.
import type {
  CalculateRequest,
  CarrierRate,
  ListPickupLocationsRequest,
  ListPlacesRequest,
  ListPlacesResponse,
  ShippingCalculation,
  ShippingLine,
  ShippingRpcs,
} from '#proto/gen/shipping.ts';
import { type Call, invalid, Refusal, Rendered, type Reply } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { halfPoint } from '#services/commerce/address.ts';
import { madeFrom, storeOf } from '#services/commerce/dependency.ts';
import { badAmount } from '#services/commerce/shared_refusal.ts';
import { parseCountry } from '#values/country.ts';
import { toMinor } from '#values/money.ts';
import { basketWithoutLines, weighLines } from './basket.ts';
import { allowsCarriers, calculate, calculateCarriersOnly, deliversTo, pickupLocation } from './calculation.ts';
import type { Carriers } from './carrier/carrier.ts';
import type { Consignment } from './carrier/source.ts';
import { type ConfigServices, configHandlers } from './config_rpc.ts';
import { locateCoordinates, locatePlaceName } from './destination.ts';
import type { RateMatch, ShippingAddress } from './engine.ts';
import { openGazetteer } from './geocode/gazetteer.ts';
import type { Geocoder } from './geocode/place.ts';
import { suggestPlaces } from './geocode/suggestion.ts';
import { calendarOf, type EnginePool, type TenantShipping } from './pool.ts';
import type { ShippedBasket } from './rate.ts';

export interface ShippingServices extends ConfigServices {
  readonly pool: EnginePool;
  readonly geocoder: Geocoder;
  readonly carriers: Carriers;
}

const PLACES_DEFAULT = 8;

const encoder = new TextEncoder();

type LocationMode = 'point' | 'name' | 'carrier';

const locationModeOf = (input: CalculateRequest): LocationMode | Refusal => {
  const { latitude, place_name, address_to, parcel } = input;
  const incomplete = halfPoint(input) ?? (address_to ? halfPoint(address_to, 'address_to') : null);
  if (incomplete) return incomplete;
  if (latitude !== undefined) return 'point';
  if (place_name !== undefined) return 'name';
  if (address_to && parcel) return 'carrier';
  if (address_to) return invalid('parcel', '`parcel` is required when neither coordinates nor `place_name` are sent.');
  if (parcel)
    return invalid('address_to', '`address_to` is required when neither coordinates nor `place_name` are sent.');
  return invalid('latitude', 'Send `latitude` and `longitude`, a `place_name`, or `address_to` and `parcel`.');
};

export const shippingHandlers = (runtime: Runtime, services: ShippingServices): Handlers<ShippingRpcs> => {
  const { ask, clock } = runtime;
  const { pool, geocoder, carriers } = services;

  /**
   * Returns the carriers' rates; null if no carrier can be asked, an empty list if the store does not deliver there by
   * carrier.
   */
  const askCarriers = (
    { tenant, engine, providers }: TenantShipping,
    input: CalculateRequest,
    near: ShippingAddress | null,
    match: RateMatch | null,
  ): null | readonly CarrierRate[] | Promise<readonly CarrierRate[]> => {
    const { address_to, parcel, items = [], order_total = 0 } = input;
    if (providers.length === 0 || !address_to || !parcel) return null;
    if (!allowsCarriers(engine, match)) return [];
    const sender = near ? (engine.origin(near.point)?.location ?? null) : engine.defaultSender;
    const { currency } = engine;
    const consignment: Consignment = { tenant, currency, sender, address_to, parcel, items, order_total };
    return carriers.rates(providers, consignment);
  };

  const calculateAtPlace = (
    shipping: TenantShipping,
    input: CalculateRequest,
    basket: ShippedBasket,
    place: ShippingAddress,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    const { engine } = shipping;
    const origin = engine.origin(place.point);
    const match = engine.match(place, origin);
    const rates = askCarriers(shipping, input, place, match);
    const priced = (found: readonly CarrierRate[] | null) =>
      calculate(engine, origin, match, {
        place,
        basket,
        rates: found,
        calendar: calendarOf(clock, shipping),
        language: input.language,
      });
    return rates instanceof Promise ? rates.then(priced) : priced(rates);
  };

  const calculateIn = (
    shipping: TenantShipping,
    input: CalculateRequest,
    mode: LocationMode,
    basket: ShippedBasket | Refusal,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    if (basket instanceof Refusal) return basket;
    if (mode === 'point') return calculateAtPlace(shipping, input, basket, locateCoordinates(input));
    return mode === 'name' ? calculateByName(shipping, input, basket) : calculateByCarrier(shipping, input);
  };

  const calculateByName = async (
    shipping: TenantShipping,
    input: CalculateRequest,
    basket: ShippedBasket,
  ): Promise<Reply<ShippingCalculation>> => {
    const place = await locatePlaceName(geocoder, input, shipping.store.country);
    return place instanceof Refusal ? place : calculateAtPlace(shipping, input, basket, place);
  };

  const calculateByCarrier = async (
    shipping: TenantShipping,
    input: CalculateRequest,
  ): Promise<Reply<ShippingCalculation>> =>
    calculateCarriersOnly(shipping.engine, await askCarriers(shipping, input, null, null));

  const calculateFor = (
    shipping: TenantShipping,
    call: Call,
    input: CalculateRequest,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    const mode = locationModeOf(input);
    if (mode instanceof Refusal) return mode;
    const { currency } = shipping.store;
    const orderTotal = toMinor(input.order_total ?? 0, currency);
    if (orderTotal === null) return badAmount('order_total', input.order_total ?? 0, currency);
    const lines: readonly ShippingLine[] = input.items ?? [];
    const basket = lines.length === 0 ? basketWithoutLines(orderTotal) : weighLines(ask, call, lines, orderTotal);
    return basket instanceof Promise
      ? basket.then((read) => calculateIn(shipping, input, mode, read))
      : calculateIn(shipping, input, mode, basket);
  };

  return {
    Calculate: read((call, input: CalculateRequest) => {
      const shipping = pool.get(call);
      return shipping instanceof Promise
        ? shipping.then((woken) => calculateFor(woken, call, input))
        : calculateFor(shipping, call, input);
    }),

    ...configHandlers(runtime, services),

    ListPickupLocations: read(async (call, { language }: ListPickupLocationsRequest) => {
      const { engine } = await pool.get(call);
      return { locations: engine.pickups.map((location) => pickupLocation(location, null, language)) };
    }),

    ListPlaces: read(async (call, input: ListPlacesRequest) => {
      const { text = '', limit = PLACES_DEFAULT } = input;
      const [{ engine, providers, revision, store }, gazetteer] = await Promise.all([pool.get(call), openGazetteer()]);
      const country = parseCountry(input.country ?? store.country ?? '');
      if (country === null)
        return input.country === undefined
          ? invalid('country', '`country` is required, because the store has no country.')
          : invalid('country', `\`country\` must be an ISO 3166-1 country code, not "${input.country}".`);
      const places = suggestPlaces(gazetteer, country, text, limit).map((place) => ({
        city: place.city,
        state: place.state,
        postal_code: place.postcode,
        deliverable: deliversTo(engine, place, providers.length > 0),
      }));
      const answer: ListPlacesResponse = { places };
      const dependencies = madeFrom('shipping', revision, null, [storeOf(call.tenant)]);
      return new Rendered(encoder.encode(JSON.stringify(answer)), dependencies);
    }),
  };
};
