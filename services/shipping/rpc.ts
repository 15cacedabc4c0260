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
import { type Call, invalid, Refusal, Rendered, type Reply, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Handlers, query, read, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { halfPoint } from '#services/commerce/address.ts';
import { toMinor } from '#values/money.ts';
import { noBasket, readBasket } from './basket.ts';
import { calculate, calculateCarriers, pickupLocation, sendsByCarrier } from './calculation.ts';
import type { Carriers } from './carrier/carrier.ts';
import type { Consignment } from './carrier/source.ts';
import { categoriesIn, NO_CONFIG, readConfig } from './config.ts';
import { atCoordinates, atNamedPlace } from './destination.ts';
import type { Match, ShippingAddress } from './engine.ts';
import type { Geocoder } from './geocode/place.ts';
import type { EnginePool, TenantShipping } from './pool.ts';
import type { ShippedBasket } from './rate.ts';
import type { ShippingStores } from './shop.ts';
import { findConfig, findConfigText, saveConfig } from './table/config.ts';
import { inTurns } from './turn.ts';

export interface ShippingParts {
  readonly pool: EnginePool;
  readonly shops: ShippingStores;
  readonly geocoder: Geocoder;
  readonly carriers: Carriers;
  /** Once committed, every engine of the tenant is dropped, here and elsewhere. */
  readonly changed: (tenant: Tenant) => void;
}

/** A transaction that says nothing for too long is ended by the database. */
const BEAT_MS = 1_500;

const encoder = new TextEncoder();

/** What a location is told by: coordinates, a place's name, or an address that carriers read. */
type LocationMode = 'point' | 'name' | 'carrier';

/** One of them, or why it is none. */
const readMode = (input: CalculateRequest): LocationMode | Refusal => {
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

/** Ids of all categories and of those that the stored configuration names, asked for only where the new one names some. */
const knownCategories = async (
  ask: Runtime['ask'],
  sql: Sql,
  { tenant, deadline, requestId, trace, revisionMin }: Call,
  input: PutConfigRequest,
): Promise<ReadonlySet<string>> => {
  if (categoriesIn(input).length === 0) return new Set();
  const { config } = await findConfig(sql, tenant);
  const options = { deadline, requestId, trace, revisionMin };
  const reply = await ask('Category/ListCategories', tenant, {}, options);
  if (reply instanceof Refusal) throw new Unavailable('The catalogue does not answer.');
  const there = reply.categories.flatMap(({ id, subcategories }) => [id, ...subcategories.map((sub) => sub.id)]);
  // What was read is accepted when it is written back, though a category was deleted since.
  return new Set([...there, ...(config ? categoriesIn(config) : [])]);
};

export const shippingHandlers = (runtime: Runtime, parts: ShippingParts): Handlers<ShippingRpcs> => {
  const { ask, clock } = runtime;
  const { pool, shops, geocoder, carriers, changed } = parts;

  /** Null where there is no carrier to ask, or nothing to ask about; none where the store sends nothing there. */
  const askCarriers = (
    { tenant, engine, providers }: TenantShipping,
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
      calculate(engine, origin, match, { place, basket, rates: found });
    return rates instanceof Promise ? rates.then(priced) : priced(rates);
  };

  const calculateIn = (
    shipping: TenantShipping,
    input: CalculateRequest,
    mode: LocationMode,
    basket: ShippedBasket | Refusal,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    if (basket instanceof Refusal) return basket;
    if (mode === 'point') return atPlace(shipping, input, basket, atCoordinates(input));
    return mode === 'name' ? byName(shipping, input, basket) : byCarrier(shipping, input);
  };

  const byName = async (
    shipping: TenantShipping,
    input: CalculateRequest,
    basket: ShippedBasket,
  ): Promise<Reply<ShippingCalculation>> => {
    const place = await atNamedPlace(geocoder, input, shipping.shop.country);
    return place instanceof Refusal ? place : atPlace(shipping, input, basket, place);
  };

  const byCarrier = async (shipping: TenantShipping, input: CalculateRequest): Promise<Reply<ShippingCalculation>> =>
    calculateCarriers(shipping.engine, await askCarriers(shipping, input, null, null));

  const calculateFor = (
    shipping: TenantShipping,
    call: Call,
    input: CalculateRequest,
  ): Reply<ShippingCalculation> | Promise<Reply<ShippingCalculation>> => {
    const mode = readMode(input);
    if (mode instanceof Refusal) return mode;
    const { currency } = shipping.shop;
    const orderTotal = toMinor(input.order_total ?? 0, currency);
    if (orderTotal === null)
      return invalid('order_total', `\`order_total\` must be an amount with at most ${currency.exponent} decimals.`);
    const lines: readonly ShippingLine[] = input.items ?? [];
    const basket = lines.length === 0 ? noBasket(orderTotal) : readBasket(ask, call, lines, orderTotal);
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

    GetConfig: query(async (sql, { tenant }) => {
      const text = await findConfigText(sql, tenant);
      return text === null ? NO_CONFIG : new Rendered(text);
    }),

    PutConfig: transaction(async (tx, call, input) => {
      const { currency } = await shops.get(call.tenant);
      const categories = await knownCategories(ask, tx.sql, call, input);
      const config = await inTurns(readConfig(input, { currency, categories }), {
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
