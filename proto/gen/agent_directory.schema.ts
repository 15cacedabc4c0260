// Generated from stoa/v1/agent_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { CreateCartDraftRequest, CreateCheckoutIntentRequest } from './agent.schema.ts';
import { PriceBasketResponse } from './pricing_directory.schema.ts';
import { Address, AddressInput, AgentNameInput } from './shared.schema.ts';

export const BeginCheckoutRequest: TSchema = Type.Object({
  checkout: CreateCheckoutIntentRequest,
  agent: AgentNameInput,
});

export const BeginCartRequest: TSchema = Type.Object({
  cart: CreateCartDraftRequest,
  agent: AgentNameInput,
});

export const OfferRequest: TSchema = Type.Object({
  id: Type.String(),
  email: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  shipping_address: Type.Optional(Type.Union([AddressInput, Type.Null()])),
  as_shown: Type.Optional(Type.Boolean()),
});

export const FrozenOffer: TSchema = Type.Object({
  priced: PriceBasketResponse,
  email: Type.Union([Type.String(), Type.Null()]),
  shipping_address: Type.Union([Address, Type.Null()]),
  shipping_option_id: Type.Union([Type.String(), Type.Null()]),
  shipping_option_name: Type.Union([Type.String(), Type.Null()]),
  shipping_fee: Type.Number(),
  hold_id: Type.Union([Type.String(), Type.Null()]),
  version: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  note: Type.Union([Type.String(), Type.Null()]),
  billing_address: Type.Union([Address, Type.Null()]),
  language: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

export const IntentsOfHoldsRequest: TSchema = Type.Object({
  hold_ids: Type.Array(Type.String(), { maxItems: 100 }),
});

export const HoldingIntent: TSchema = Type.Object({
  hold_id: Type.String(),
  checkout_intent_id: Type.String(),
  order_id: Type.Union([Type.String(), Type.Null()]),
  agent: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
});

export const IntentsOfHoldsResponse: TSchema = Type.Object({
  intents: Type.Array(HoldingIntent),
});
