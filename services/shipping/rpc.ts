// The door of shipping: calculations, the configuration, pickup locations.
import type {
  CalculateRequest,
  CarrierRate,
  ListPickupLocationsRequest,
  ShippingCalculation,
  ShippingLine,
  ShippingRpcs,
} from '#proto/gen/shipping.ts';
import type { PutConfigRequest } from '#proto/gen/shipping_config.ts';
import { halfPoint } from '#runtime/call/address.ts';
import { type Call, Refusal, Rendered, type Reply, refuse, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Handlers, query, read, transaction } from '#runtime/door/rpc.ts';
import { toMinor } from '#values/money.ts';
import { noBasket, readBasket } from './basket.ts';
import { calculate, calculateCarriers, pickupLocation, sendsByCarrier } from './calculation.ts';
import type { Carriers } from './carrier/carrier.ts';
import type { Consignment } from './carrier/source.ts';
import { NO_CONFIG, namesCategories, readConfig } from './config.ts';
import type { Match, ShippingAddress } from './engine.ts';
import { countryAt } from './geocode/country.ts';
import { chooseCandidate, type Geocoder } from './geocode/place.ts';
import type { Desk, EnginePool } from './pool.ts';
import type { ShippedBasket } from './rate.ts';
import type { ShippingStores } from './shop.ts';
import { findConfigText, saveConfig } from './table/config.ts';
import { inTurns } from './turn.ts';

export interface ShippingParts {
  readonly pool: EnginePool;
  readonly shops: ShippingStores;
  readonly geocoder: Geocoder;
  readonly carriers: Carriers;
  /** Once committed, every engine of the tenant is dropped, here and elsewhere. */
  readonly changed: (tenant: Tenant) => void;
}

const invalid = (param: string, message: string): Refusal => refuse('invalid_request', message, { param });

/** A transaction that says nothing for too long is ended by the database. */
const BEAT_MS = 1_500;

const encoder = new TextEncoder();

/** One of the three location modes, or why it is none. */
const readMode = (input: CalculateRequest): 'point' | 'name' | 'carrier' | Refusal => {
  const { latitude, place_name, address_to, parcel } = input;
  const half = halfPoint(input) ?? (address_to ? halfPoint(address_to, 'address_to') : null);
  if (half) return half;
  if (latitude !== undefined) return 'point';
  if (place_name !== undefined) return 'name';
  if (address_to && parcel) return 'carrier';
  if (address_to) return invalid('parcel', '`parcel` is required where no location is sent.');
  if (parcel) return invalid('address_to', '`address_to` is required where no location is sent.');
  return invalid('latitude', 'Send `latitude` and `longitude`, a `place_name`, or `address_to` and `parcel`.');
};

/** Country and postcode from the body win: the order's own, then its address'. */
const told = (input: CalculateRequest): Pick<ShippingAddress, 'country' | 'postcode'> => ({
  country: (input.country_code ?? input.address_to?.country)?.toUpperCase() ?? null,
  postcode: (input.postal_code ?? input.address_to?.postal_code)?.trim() || null,
});

export const shippingHandlers = (foundation: Foundation, parts: ShippingParts): Handlers<ShippingRpcs> => {
  const { ask, clock } = foundation;
  const { pool, shops, geocoder, carriers, changed } = parts;

  const pointOf = (input: CalculateRequest): ShippingAddress => {
    const { country, postcode } = told(input);
    const point = { latitude: input.latitude!, longitude: input.longitude! };
    return { point, country: country ?? countryAt(point), postcode };
  };

  const geocode = async (input: CalculateRequest, storeCountry: string | null): Promise<ShippingAddress | Refusal> => {
    const name = input.place_name!.trim();
    const own = told(input);
    let candidates = await geocoder.find(name, own.country);
    // The country that was sent tells namesakes apart, and wins even where it lies elsewhere.
    if (candidates.length === 0 && own.country !== null) candidates = await geocoder.find(name, null);
    const found = chooseCandidate(candidates, storeCountry);
    if (!found) return invalid('place_name', 'No such place is known, or more than one: name its country too.');
    const point = { latitude: found.latitude, longitude: found.longitude };
    return {
      point,
      country: own.country ?? found.country ?? countryAt(point),
      postcode: own.postcode ?? found.postcode,
    };
  };

  /** Null where there is no carrier to ask, or nothing to ask about; none where the store sends nothing there. */
  const askCarriers = (
    { tenant, engine, providers }: Desk,
    input: CalculateRequest,
    near: ShippingAddress | null,
    match: Match | null,
  ): null | readonly CarrierRate[] | Promise<readonly CarrierRate[]> => {
    const { address_to, parcel, items = [], order_total = 0 } = input;
    if (providers.length === 0 || !address_to || !parcel) return null;
    if (!sendsByCarrier(engine, match)) return [];
    const sender = near ? (engine.origin(near.point)?.location ?? null) : engine.sender;
    const { currency } = engine;
    const consignment: Consignment = { tenant, currency, sender, address_to, parcel, items, order_total };
    return carriers.rates(providers, consignment);
  };

  /** A priced place: at once, unless carriers have to be asked. */
  const atPlace = (
    desk: Desk,
    input: CalculateRequest,
    basket: ShippedBasket,
    place: ShippingAddress,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    const { engine } = desk;
    const origin = engine.origin(place.point);
    const match = engine.match(place, origin);
    const rates = askCarriers(desk, input, place, match);
    const priced = (found: readonly CarrierRate[] | null) =>
      calculate(engine, origin, match, { place, basket, rates: found });
    return rates instanceof Promise ? rates.then(priced) : priced(rates);
  };

  const weighed = (
    desk: Desk,
    input: CalculateRequest,
    mode: 'point' | 'name' | 'carrier',
    basket: ShippedBasket | Refusal,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    if (basket instanceof Refusal) return basket;
    if (mode === 'point') return atPlace(desk, input, basket, pointOf(input));
    return mode === 'name' ? byName(desk, input, basket) : byCarrier(desk, input);
  };

  const byName = async (
    desk: Desk,
    input: CalculateRequest,
    basket: ShippedBasket,
  ): Promise<Reply<ShippingCalculation>> => {
    const place = await geocode(input, desk.shop.country);
    return place instanceof Refusal ? place : atPlace(desk, input, basket, place);
  };

  const byCarrier = async (desk: Desk, input: CalculateRequest): Promise<Reply<ShippingCalculation>> =>
    calculateCarriers(desk.engine, await askCarriers(desk, input, null, null));

  const answer = (
    desk: Desk,
    call: Call,
    input: CalculateRequest,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    const mode = readMode(input);
    if (mode instanceof Refusal) return mode;
    const { currency } = desk.shop;
    const orderTotal = toMinor(input.order_total ?? 0, currency);
    if (orderTotal === null)
      return invalid('order_total', `\`order_total\` must be an amount with at most ${currency.exponent} decimals.`);
    const lines: readonly ShippingLine[] = input.items ?? [];
    const basket = lines.length === 0 ? noBasket(orderTotal) : readBasket(ask, call, lines, orderTotal);
    return basket instanceof Promise
      ? basket.then((read) => weighed(desk, input, mode, read))
      : weighed(desk, input, mode, basket);
  };

  /** Ids of all categories, asked for only where a configuration names some. */
  const categories = async (call: Call, input: PutConfigRequest): Promise<ReadonlySet<string>> => {
    if (!namesCategories(input)) return new Set();
    const reply = await ask(
      'Category/ListCategories',
      call.tenant,
      {},
      { deadline: call.deadline, requestId: call.requestId, trace: call.trace, revisionMin: call.revisionMin },
    );
    if (reply instanceof Refusal) throw new Unavailable('The catalogue does not answer.');
    return new Set(reply.categories.flatMap(({ id, subcategories }) => [id, ...subcategories.map((sub) => sub.id)]));
  };

  return {
    Calculate: read((call, input: CalculateRequest) => {
      const desk = pool.get(call);
      return desk instanceof Promise ? desk.then((woken) => answer(woken, call, input)) : answer(desk, call, input);
    }),

    GetConfig: query(async (sql, { tenant }) => {
      const text = await findConfigText(sql, tenant);
      return text === null ? NO_CONFIG : new Rendered(text);
    }),

    PutConfig: transaction(async (tx, call, input) => {
      const { currency } = await shops.get(call.tenant);
      const known = await categories(call, input);
      const config = await inTurns(readConfig(input, { currency, categories: known }), {
        everyMs: BEAT_MS,
        run: () => tx.sql`select 1`,
      });
      if (config instanceof Refusal) return config;
      const text = encoder.encode(JSON.stringify(config));
      await saveConfig(tx.sql, call.tenant, text, clock.now(call.tenant));
      tx.afterCommit(() => changed(call.tenant));
      return new Rendered(text);
    }),

    ListPickupLocations: read(async (call, _input: ListPickupLocationsRequest) => {
      const { engine } = await pool.get(call);
      return { locations: engine.pickups.map((location) => pickupLocation(location, null)) };
    }),
  };
};
