// The rpc handlers for other domains: ways of delivery, their price, the sender.
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
import { fromMajor } from '#values/money.ts';
import { noBasket, readBasket } from './basket.ts';
import { choicesFor, pickupsFrom, sendsByCarrier } from './calculation.ts';
import { openConsignments } from './consignment.ts';
import { atAddress } from './destination.ts';
import { labelHandlers } from './label.ts';
import type { TenantShipping } from './pool.ts';
import type { ShippingParts } from './rpc.ts';

const notDeliverable = (): Refusal => refuse('shipping_not_deliverable', 'The store does not deliver to this address.');

export const directoryHandlers = (
  runtime: Runtime,
  { pool, geocoder, carriers }: ShippingParts,
): Handlers<ShippingDirectoryRpcs> => {
  const { ask } = runtime;
  const consignmentOf = openConsignments(ask, geocoder, carriers);

  const shipByCarrier = async (
    call: Call,
    shipping: TenantShipping,
    input: ShipOrderRequest,
  ): Promise<ShipOrderResponse | Refusal> => {
    const { shipping_rate_id: rate_id, shipping_rate_source: source, address } = input;
    if (!address) return invalid('shipping_address', '`shipping_address` is required for a carrier.');
    const { engine, shop } = shipping;
    if (engine.restriction !== 'none') {
      const destination = await atAddress(geocoder, address, shop.country);
      const match = engine.match(destination, engine.origin(destination.point));
      if (!sendsByCarrier(engine, match)) return notDeliverable();
    }
    const consignment = await consignmentOf(call, shipping, address, rate_id!, input);
    const rate = await carriers.fetch(shipping.providers, consignment, { rate_id: rate_id!, source: source! });
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
    { engine, shop }: TenantShipping,
    { address, items = [], order_total = 0 }: Pick<ShipOrderRequest, 'address' | 'items' | 'order_total'>,
  ): Promise<ShippingChoice[] | Refusal> => {
    const orderTotal = fromMajor(order_total, engine.currency);
    const basket = items.length === 0 ? noBasket(orderTotal) : await readBasket(ask, call, items, orderTotal);
    if (basket instanceof Refusal) return basket;
    if (!address) return pickupsFrom(engine);
    const destination = await atAddress(geocoder, address, shop.country);
    const match = engine.match(destination, engine.origin(destination.point));
    return choicesFor(engine, match, basket, destination.point);
  };

  const shipByStore = async (
    call: Call,
    shipping: TenantShipping,
    input: ShipOrderRequest,
  ): Promise<ShipOrderResponse | Refusal> => {
    const id = input.shipping_option_id ?? 'place';
    const offered = await choices(call, shipping, input);
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
      const shipping = await pool.get(call);
      return input.shipping_rate_id ? shipByCarrier(call, shipping, input) : shipByStore(call, shipping, input);
    }),

    ListChoices: read(async (call, input: ListChoicesRequest) => {
      const options = await choices(call, await pool.get(call), input);
      return options instanceof Refusal ? options : { options };
    }),

    GetSender: read(async (call, _input: GetSenderRequest) => ({
      address: (await pool.get(call)).engine.sender?.address ?? null,
    })),

    ...labelHandlers(runtime, { pool, carriers }, consignmentOf),
  };
};
