// Generated from stoa/v1/meta.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';

export const GetApiInfoRequest: TSchema = Type.Object({});

export const ApiInfo: TSchema = Type.Object({
  name: Type.String(),
  version: Type.String(),
  documentation_url: Type.String(),
});

export const GetHealthRequest: TSchema = Type.Object({});

export const Health: TSchema = Type.Object({
  status: Type.String(),
  version: Type.String(),
  components: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.String(), { additionalProperties: false }),
});

export const GetHostHealthRequest: TSchema = Type.Object({});

export const HostHealth: TSchema = Type.Object({
  components: Type.Record(Type.String({ pattern: "^[\\s\\S]{0,}$" }), Type.String(), { additionalProperties: false }),
});
