// Generated from stoa/v1/stock_alert.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';

export const CreateStockAlertRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  email: Text({ maxLength: 254, format: "email" }),
  variant_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  language: Type.Optional(Text({ pattern: "^[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?$" })),
});

export const RequestedStockAlert: TSchema = Type.Object({
  product_id: Text({ format: "uuid" }),
  variant_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  email: Type.String(),
});

export const StockAlertResponse: TSchema = Type.Object({
  stock_alert: RequestedStockAlert,
});
