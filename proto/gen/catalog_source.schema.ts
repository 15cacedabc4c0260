// Generated from stoa/v1/catalog_source.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Product } from './product.schema.ts';
import { FoundProduct, HitInput } from './search.schema.ts';

export const ChangedProductsRequest: TSchema = Type.Object({
  instance: Type.Optional(Type.String()),
  since: Type.Optional(Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 })),
  limit: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  round: Type.Optional(Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 })),
  language: Type.Optional(Type.String()),
});

export const ChangedProductsResponse: TSchema = Type.Object({
  instance: Type.String(),
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  edition: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  has_more: Type.Boolean(),
  size: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  products: Type.Array(Product),
  round: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const ListProductDigestsRequest: TSchema = Type.Object({
  instance: Type.Optional(Type.String()),
  since: Type.Optional(Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 })),
  limit: Type.Optional(Type.Integer({ minimum: -2147483648, maximum: 2147483647 })),
  round: Type.Optional(Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 })),
  language: Type.Optional(Type.String()),
});

export const ProductDigest: TSchema = Type.Object({
  product_id: Type.String(),
  digest: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const ListProductDigestsResponse: TSchema = Type.Object({
  instance: Type.String(),
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  edition: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  has_more: Type.Boolean(),
  digests: Type.Array(ProductDigest),
  round: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
  removal: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const NamedProductsRequest: TSchema = Type.Object({
  product_ids: Type.Optional(Type.Array(Type.String())),
  language: Type.Optional(Type.String()),
});

export const NamedProductsResponse: TSchema = Type.Object({
  products: Type.Array(Product),
});

export const ListProductIdsRequest: TSchema = Type.Object({});

export const ListProductIdsResponse: TSchema = Type.Object({
  product_ids: Type.Array(Type.String()),
});

export const ListRevisionsRequest: TSchema = Type.Object({
  stores: Type.Optional(Type.Array(Type.String())),
});

export const CatalogueRevision: TSchema = Type.Object({
  store_id: Type.String(),
  revision: Type.Integer({ minimum: -9007199254740991, maximum: 9007199254740991 }),
});

export const ListRevisionsResponse: TSchema = Type.Object({
  revisions: Type.Array(CatalogueRevision),
});

export const FoundProductsRequest: TSchema = Type.Object({
  hits: Type.Optional(Type.Array(HitInput)),
  doc_ids: Type.Optional(Type.Array(Type.Integer({ minimum: 0, maximum: 4294967295 }))),
  currency: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  language: Type.Optional(Type.String()),
  with_lowest_prices: Type.Optional(Type.Boolean()),
});

export const FoundProductsResponse: TSchema = Type.Object({
  products: Type.Array(FoundProduct),
});
