// Validation of a row: the fields and bounds of a product write, the merchant's own id, and category names.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { UpdateProductRequest } from '#proto/gen/product_request.schema.ts';
import { compile } from '#proto/validate.ts';

// Stoa's ids mean nothing in a merchant's file.
const {
  id: _id,
  category_id: _category,
  subcategory_id: _subcategory,
  ...shared
} = (UpdateProductRequest as TObject).properties;

export const ROW_FIELDS: Readonly<Record<string, TSchema>> = {
  external_id: Text({ minLength: 1, maxLength: 200 }),
  category: Type.Optional(Type.Union([Text({ maxLength: 1_000 }), Type.Null()])),
  ...shared,
};

/** Names the first invalid field, and drops unknown ones. */
export const checkRow = compile({ request: Type.Object({ ...ROW_FIELDS }) });
