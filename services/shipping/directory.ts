// Handles the internal rpcs of shipping: delivery choices, the price of a chosen delivery, and the sender's address.

import type { ShippingChoice } from '#proto/gen/shipping.ts';
import type {
  GetSenderRequest,
  ListChoicesRequest,
  ShipOrderRequest,
  ShipOrderResponse,
  ShippingDirectoryRpcs,
} from '#proto/gen/shipping_directory.ts';
import { type Call, invalid, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { otherLanguage } from '#values/language.ts';
import { fromMajor } from '#values/money.ts';
import { basketWithoutLines, weighLines } from './basket.ts';
import { allowsCarriers, pickupChoices, shippingChoices } from './calculation.ts';
import { consignmentBuilder } from './consignment.ts';
import { locateAddress } from './destination.ts';
import { matchIn } from './engine.ts';
import { labelHandlers } from './label.ts';
import { calendarOf, type TenantShipping } from './pool.ts';
import type { ShippingServices } from './rpc.ts';

const notDeliverable = (): Refusal => refuse('shipping_not_deliverable', 'The store does not deliver to this address.');

export const directoryHandlers = (
  runtime: Runtime,
  { pool, geocoder, carriers }: ShippingServices,
): Handlers<ShippingDirectoryRpcs> => {
  const { ask, clock } = runtime;
  const consignmentOf = consignmentBuilder(ask, geocoder, carriers);

  const shipByCarrier = async (
    call: Call,
    shipping: TenantShipping,
    input: ShipOrderRequest,
  ): Promise<ShipOrderResponse | Refusal> => {
    const { shipping_rate_id: rate_id, shipping_rate_source: source, address } = input;
    if (!address) return invalid('shipping_address', '`shipping_address` is required for delivery by carrier.');
    const { engine, store } = shipping;
    if (engine.restriction !== 'none') {
      const destination = await locateAddress(geocoder, address, store.country);
      const match = engine.match(destination, engine.origin(destination.point));
      if (!allowsCarriers(engine, match)) return notDeliverable();
    }
    const consignment = await consignmentOf(call, shipping, address, rate_id!, input);
    const rate = await carriers.refetchRate(shipping.providers, consignment, { rate_id: rate_id!, source: source! });
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

  const choicesFor = async (
    call: Call,
    shipping: TenantShipping,
    { address, items = [], order_total = 0 }: Pick<ShipOrderRequest, 'address' | 'items' | 'order_total'>,
    language?: string,
  ): Promise<ShippingChoice[] | Refusal> => {
    const { engine, store } = shipping;
    const orderTotal = fromMajor(order_total, engine.currency);
    const basket = items.length === 0 ? basketWithoutLines(orderTotal) : await weighLines(ask, call, items, orderTotal);
    if (basket instanceof Refusal) return basket;
    if (!address) return pickupChoices(engine, null, language);
    const destination = await locateAddress(geocoder, address, store.country);
    const match = matchIn(engine.match(destination, engine.origin(destination.point)), language);
    return shippingChoices(engine, match, basket, destination.point, calendarOf(clock, shipping), language);
  };

  const shipByStore = async (
    call: Call,
    shipping: TenantShipping,
    input: ShipOrderRequest,
  ): Promise<ShipOrderResponse | Refusal> => {
    const id = input.shipping_option_id ?? 'place';
    const offered = await choicesFor(call, shipping, input);
    if (offered instanceof Refusal) return offered;
    const chosen = offered.find((choice) => choice.id === id);
    const delivers = offered.some(({ method }) => method === 'delivery');
    if (!chosen && !delivers && !id.startsWith('pickup:')) return notDeliverable();
    if (!chosen) return notFound('shipping option', 'shipping_option_id');
    if (!chosen.available)
      return refuse('conflict', '`order_total` is below the minimum order of this shipping option.', {
        param: 'shipping_option_id',
      });
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
      const shipping = await pool.get(call);
      return input.shipping_rate_id ? shipByCarrier(call, shipping, input) : shipByStore(call, shipping, input);
    }),

    ListChoices: read(async (call, input: ListChoicesRequest) => {
      const shipping = await pool.get(call);
      const language = otherLanguage(input.language ?? undefined, shipping.store.languages);
      const options = await choicesFor(call, shipping, input, language);
      return options instanceof Refusal ? options : { options };
    }),

    GetSender: read(async (call, _input: GetSenderRequest) => ({
      address: (await pool.get(call)).engine.defaultSender?.address ?? null,
    })),

    ...labelHandlers(runtime, { pool, carriers }, consignmentOf),
  };
};
