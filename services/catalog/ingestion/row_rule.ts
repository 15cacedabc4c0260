// What a row may hold: the fields and bounds of a product write, the merchant's own id, and names of categories.
import { type TObject, type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { UpdateProductRequest } from '#proto/gen/product_request.schema.ts';
import { compile } from '#proto/validate.ts';

// Ids of ours mean nothing in a merchant's file.
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

/** Checks a row field by field, names the first bad one, and takes away what is not known. */
export const checkRow = compile({ request: Type.Object({ ...ROW_FIELDS }) });
