// Generated from stoa/v1/agent_directory.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
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
});
