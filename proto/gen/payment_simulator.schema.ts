// Generated from stoa/v1/payment_simulator.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const SettleSimulatedRequest: TSchema = Type.Object({
  reference: Text({ maxLength: 100 }),
  outcome: Type.Union([Type.Literal("succeed"), Type.Literal("fail"), Type.Literal("expire")]),
});

export const ShowSimulatedRequest: TSchema = Type.Object({
  reference: Type.String(),
});

export const DecideSimulatedRequest: TSchema = Type.Object({
  reference: Type.String(),
  outcome: Type.Union([Type.Literal("succeed"), Type.Literal("fail"), Type.Literal("expire")]),
});

export const SimulatedPayment: TSchema = Type.Object({
  reference: Type.String(),
  provider: Type.String(),
  method_name: Type.String(),
  status: Type.String(),
  amount: Type.String(),
  currency: Type.String(),
  order_number: Type.Union([Type.String(), Type.Null()]),
  phone: Type.Union([Type.String(), Type.Null()]),
  success_url: Type.Union([Type.String(), Type.Null()]),
  cancel_url: Type.Union([Type.String(), Type.Null()]),
  store: Type.String(),
});
