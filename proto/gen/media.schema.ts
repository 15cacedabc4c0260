// Generated from stoa/v1/media.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const MediaRendition: TSchema = Type.Object({
  width: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  url: Type.String(),
});

export const StoredMedia: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  url: Type.String(),
  type: Type.Union([Type.Literal("image"), Type.Literal("video")]),
  width: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  height: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  content_type: Type.String(),
  bytes: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  name: Type.Union([Type.String(), Type.Null()]),
  renditions: Type.Array(MediaRendition),
  created_at: Text({ format: "date-time" }),
});

export const MediaResponse: TSchema = Type.Object({
  media: StoredMedia,
});

export const ListMediaRequest: TSchema = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Text({ maxLength: 4096 })),
  type: Type.Optional(Type.Union([Type.Literal("image"), Type.Literal("video")])),
  fields: Type.Optional(Type.String()),
});

export const ListMediaResponse: TSchema = Type.Object({
  media: Type.Array(StoredMedia),
  pagination: Pagination,
});

export const UploadMediaRequest: TSchema = Type.Object({
  name: Type.Optional(Text({ maxLength: 255, format: "line" })),
});

export const GetMediaRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  fields: Type.Optional(Type.String()),
});

export const DeleteMediaRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const FindAddressesRequest: TSchema = Type.Object({
  ids: Type.Array(Type.String()),
});

export const MediaAddress: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  url: Type.String(),
});

export const FindAddressesResponse: TSchema = Type.Object({
  addresses: Type.Array(MediaAddress),
});

export const FindFileRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  width: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
});

export const FindFileResponse: TSchema = Type.Object({
  file: Type.String(),
  content_type: Type.String(),
  bytes: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const ReadFileRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  file: Type.String(),
  from: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  length: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
});

export const ReadFileResponse: TSchema = Type.Object({});
