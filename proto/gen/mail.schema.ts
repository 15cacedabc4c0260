// Generated from stoa/v1/mail.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const ListMessagesRequest: TSchema = Type.Object({
  email: Type.Optional(Text({ maxLength: 254 })),
  fields: Type.Optional(Type.String()),
});

export const SentMessage: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  to: Type.String(),
  kind: Type.Union([Type.Literal("order_placed"), Type.Literal("order_paid"), Type.Literal("order_shipped"), Type.Literal("order_delivered"), Type.Literal("order_cancelled"), Type.Literal("order_refunded"), Type.Literal("payment_failed"), Type.Literal("gift_card"), Type.Literal("return_received"), Type.Literal("return_decided"), Type.Literal("return_arrived"), Type.Literal("credit_offered"), Type.Literal("dispute_opened"), Type.Literal("dispute_changed"), Type.Literal("back_in_stock"), Type.Literal("abandoned_cart"), Type.Literal("magic_link"), Type.Literal("reset_password"), Type.Literal("otp"), Type.Literal("dashboard_invitation"), Type.Literal("dashboard_link")]),
  subject: Type.String(),
  text: Type.String(),
  link: Type.Union([Type.String(), Type.Null()]),
  code: Type.Union([Type.String(), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  html: Type.String(),
  unsubscribe_url: Type.Union([Type.String(), Type.Null()]),
});

export const ListMessagesResponse: TSchema = Type.Object({
  messages: Type.Array(SentMessage),
});
