// The door inside: what orders ask of shipping, the price of the chosen delivery and the label of a parcel.
import type { AddressInput } from '#proto/gen/shared.ts';
import type { ShippingChoice } from '#proto/gen/shipping.ts';
import type {
  BuyLabelRequest,
  BuyLabelResponse,
  GetSenderRequest,
  ListChoicesRequest,
  ShipOrderRequest,
  ShipOrderResponse,
  ShippingDirectoryRpcs,
} from '#proto/gen/shipping_directory.ts';

import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { Foundation } from '#runtime/door/foundation.ts';
import { type Handlers, read } from '#runtime/door/rpc.ts';
import type { Point } from '#values/geo/distance.ts';
import { fromMajor } from '#values/money.ts';
import { noBasket, readBasket } from './basket.ts';
import { choicesFor, pickupsFrom, sendsByCarrier } from './calculation.ts';
import { guessParcel, parseParcel } from './carrier/parcel.ts';
import type { Consignment } from './carrier/source.ts';
import type { Destination } from './engine.ts';
import { countryAt } from './geocode/country.ts';
import { chooseCandidate, type Geocoder } from './geocode/place.ts';
import type { Desk } from './pool.ts';
import type { ShippingParts } from './rpc.ts';
import { claimLabel, dropLabel, keepLabel, notePurchase } from './table/label.ts';

/** After that another process may look what became of it. */
const CLAIM_RETRY_S = 30;

const invalid = (param: string, message: string): Refusal => refuse('invalid_request', message, { param });

const notDeliverable = (): Refusal => refuse('shipping_not_deliverable', 'The store does not deliver to this address.');

/** An address on the map: by its coordinates, else by its words, else nowhere. */
const locate = async (geocoder: Geocoder, address: AddressInput, country: string | null): Promise<Destination> => {
  const { latitude, longitude, line1, city, state, postal_code } = address;
  const own = address.country?.toUpperCase() || null;
  const postcode = postal_code?.trim() || null;
  if (typeof latitude === 'number' && typeof longitude === 'number') {
    const point = { latitude, longitude };
    return { point, country: own ?? countryAt(point), postcode };
  }
  const words = [line1, city, state].filter(Boolean).join(', ');
  // Without an answer there is still the country and the postcode.
  const candidates = words === '' ? [] : await geocoder.find(words, own).catch(() => []);
  const found = chooseCandidate(candidates, country);
  const point: Point | null = found && { latitude: found.latitude, longitude: found.longitude };
  return { point, country: own ?? found?.country ?? null, postcode: postcode ?? found?.postcode ?? null };
};

export const directoryHandlers = (
  { ask, postgres, clock }: Foundation,
  { pool, geocoder, carriers }: ShippingParts,
): Handlers<ShippingDirectoryRpcs> => {
  /** A rate's id says which parcel it was made for; of an extension's own it is remembered, or the products are packed. */
  const consignmentOf = async (
    call: Call,
    { tenant, engine, shop }: Desk,
    address: AddressInput,
    rateId: string,
    { items = [], order_total = 0 }: Pick<ShipOrderRequest, 'items' | 'order_total'>,
  ): Promise<Consignment> => {
    const { point } = await locate(geocoder, address, shop.country);
    const sender = engine.origin(point)?.location ?? engine.sender;
    const parcel =
      parseParcel(rateId.slice(rateId.lastIndexOf(':') + 1)) ??
      carriers.parcelOf({ tenant, items }, rateId) ??
      (await guessParcel(ask, call, items));
    return { tenant, currency: engine.currency, sender, address_to: address, parcel, items, order_total };
  };

  const shipByCarrier = async (
    call: Call,
    desk: Desk,
    input: ShipOrderRequest,
  ): Promise<ShipOrderResponse | Refusal> => {
    const { shipping_rate_id: rate_id, shipping_rate_source: source, address } = input;
    if (!address) return invalid('shipping_address', '`shipping_address` is required for a carrier.');
    const { engine, shop } = desk;
    if (engine.restriction !== 'none') {
      const destination = await locate(geocoder, address, shop.country);
      const match = engine.match(destination, engine.origin(destination.point));
      if (!sendsByCarrier(engine, match)) return notDeliverable();
    }
    const consignment = await consignmentOf(call, desk, address, rate_id!, input);
    const rate = await carriers.fetch(desk.providers, consignment, { rate_id: rate_id!, source: source! });
    if (rate instanceof Refusal) return rate;
    return {
      option_id: null,
      option_name: rate.service,
      fee: rate.fee,
      carrier: rate.carrier,
      service: rate.service,
      pickup_address: null,
    };
  };

  /** Every way to get an order to an address, or to pick it up; null is no address. */
  const choices = async (
    call: Call,
    { engine, shop }: Desk,
    { address, items = [], order_total = 0 }: Pick<ShipOrderRequest, 'address' | 'items' | 'order_total'>,
  ): Promise<ShippingChoice[] | Refusal> => {
    const orderTotal = fromMajor(order_total, engine.currency);
    const basket = items.length === 0 ? noBasket(orderTotal) : await readBasket(ask, call, items, orderTotal);
    if (basket instanceof Refusal) return basket;
    if (!address) return pickupsFrom(engine);
    const destination = await locate(geocoder, address, shop.country);
    const match = engine.match(destination, engine.origin(destination.point));
    return choicesFor(engine, match, basket, destination.point);
  };

  const shipByStore = async (call: Call, desk: Desk, input: ShipOrderRequest): Promise<ShipOrderResponse | Refusal> => {
    const id = input.shipping_option_id ?? 'place';
    const offered = await choices(call, desk, input);
    if (offered instanceof Refusal) return offered;
    const chosen = offered.find((choice) => choice.id === id);
    const delivers = offered.some(({ method }) => method === 'delivery');
    if (!chosen && !delivers && !id.startsWith('pickup:')) return notDeliverable();
    if (!chosen) return notFound('shipping option', 'shipping_option_id');
    if (!chosen.available)
      return refuse('conflict', 'The order is below the minimum of this option.', { param: 'shipping_option_id' });
    return {
      option_id: chosen.id,
      option_name: chosen.name,
      fee: chosen.fee,
      carrier: null,
      service: null,
      pickup_address: chosen.location?.address ?? null,
    };
  };

  return {
    ShipOrder: read(async (call, input: ShipOrderRequest) => {
      const desk = await pool.get(call);
      return input.shipping_rate_id ? shipByCarrier(call, desk, input) : shipByStore(call, desk, input);
    }),

    ListChoices: read(async (call, input: ListChoicesRequest) => {
      const options = await choices(call, await pool.get(call), input);
      return options instanceof Refusal ? options : { options };
    }),

    GetSender: read(async (call, _input: GetSenderRequest) => ({
      address: (await pool.get(call)).engine.sender?.address ?? null,
    })),

    // What it writes is its own note of what was bought, before and after: no transaction can take a purchase back.
    BuyLabel: read(async (call, input: BuyLabelRequest): Promise<BuyLabelResponse | Refusal> => {
      const { reference, address, rate_id, source } = input;
      if (!address) return invalid('shipping_address', 'The order has no shipping address.');
      const desk = await pool.get(call);
      const { tenant } = call;
      const claim = await claimLabel(postgres.sql, tenant, reference, clock.now(tenant));
      if (claim === 'taken') return refuse('conflict', 'This label is being bought.', { retryAfterS: CLAIM_RETRY_S });
      if ('label' in claim) return claim.label;
      const consignment = await consignmentOf(call, desk, address, rate_id, input);
      const lost = claim.purchase === null ? null : await carriers.look(desk.providers, consignment, claim.purchase);
      const note = (purchase: string) => notePurchase(postgres.sql, tenant, reference, purchase);
      const bought = lost ?? (await carriers.buy(desk.providers, consignment, { rate_id, source }, reference, note));
      if (bought instanceof Refusal) {
        await dropLabel(postgres.sql, tenant, reference);
        return bought;
      }
      const { carrier, service, fee } = bought.rate;
      const label: BuyLabelResponse = { carrier, service, ...bought.label, fee };
      await keepLabel(postgres.sql, tenant, reference, label);
      return label;
    }),
  };
};
