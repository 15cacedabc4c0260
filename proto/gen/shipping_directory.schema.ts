// Generated from stoa/v1/shipping_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { AddressInput } from './shared.schema.ts';
import { ShippingChoice, ShippingLine } from './shipping.schema.ts';
import { LocationAddress } from './shipping_config.schema.ts';

export const ShipOrderRequest: TSchema = Type.Object({
  address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  order_total: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
  shipping_option_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  shipping_rate_id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  shipping_rate_source: Type.Optional(Type.Union([Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]), Type.Null()])),
});

export const ShipOrderResponse: TSchema = Type.Object({
  option_id: Type.Union([Type.String(), Type.Null()]),
  option_name: Type.String(),
  fee: Type.Number(),
  carrier: Type.Union([Type.String(), Type.Null()]),
  service: Type.Union([Type.String(), Type.Null()]),
  pickup_address: Type.Union([LocationAddress, Type.Null()]),
});

export const ListChoicesRequest: TSchema = Type.Object({
  address: AddressInput,
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  order_total: Type.Optional(Type.Number({ maximum: 99999999.99, minimum: 0 })),
  language: Type.Optional(Type.Union([Text({ maxLength: 35 }), Type.Null()])),
});

export const ListChoicesResponse: TSchema = Type.Object({
  options: Type.Array(ShippingChoice),
});

export const BuyLabelRequest: TSchema = Type.Object({
  order_id: Text({ format: "uuid" }),
  rate_id: Type.String(),
  source: Type.Union([Type.Literal("carrier_account"), Type.Literal("custom")]),
  address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  items: Type.Optional(Type.Array(ShippingLine, { maxItems: 500 })),
  reference: Type.String(),
});

export const BuyLabelResponse: TSchema = Type.Object({
  carrier: Type.String(),
  service: Type.String(),
  tracking_number: Type.Union([Type.String(), Type.Null()]),
  tracking_url: Type.Union([Type.String(), Type.Null()]),
  label_url: Type.Union([Type.String(), Type.Null()]),
  fee: Type.Number(),
});

export const VoidLabelResponse: TSchema = Type.Object({
  voided: Type.Boolean(),
});

export const GetSenderRequest: TSchema = Type.Object({});

export const GetSenderResponse: TSchema = Type.Object({
  address: Type.Union([LocationAddress, Type.Null()]),
});
