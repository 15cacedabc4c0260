// JSON Schemas and types of UCP requests. Unknown fields are ignored.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Buyer, bounded, PostalAddress } from '#edge/assistant/ucp/document/schema.ts';

const LINES_MAX = 500;
export const IDS_MAX = 50;
const ID_LENGTH_MAX = 300;

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
const id = (description: string) => bounded({ minLength: 1, maxLength: ID_LENGTH_MAX, description });

export const LineItems = Type.Array(
  Type.Object({
    id: optional(Type.String({ description: 'Id of an existing line.' })),
    item: Type.Object({ id: id('Variant id from a product.') }),
    quantity: Type.Integer({ minimum: 1, maximum: 1_000_000 }),
  }),
  { minItems: 1, maxItems: LINES_MAX, description: 'Items to buy.' },
);
export type LineItems = Static<typeof LineItems>;

const Codes = Type.Object({
  codes: optional(
    Type.Array(bounded({ minLength: 1, maxLength: 64 }), {
      maxItems: 20,
      description: 'Discount codes. They replace the codes sent before.',
    }),
  ),
});

export const Destination = Type.Composite([PostalAddress, Type.Object({ id: optional(Type.String()) })]);

const LineIds = optional(Type.Array(Type.String(), { maxItems: LINES_MAX }));

const Method = Type.Object({
  type: optional(Type.Union([Type.Literal('shipping'), Type.Literal('pickup')])),
  id: optional(Type.String()),
  line_item_ids: LineIds,
  destinations: optional(Type.Array(Destination, { maxItems: 20 })),
  selected_destination_id: optional(Type.Union([Type.String(), Type.Null()])),
  groups: optional(
    Type.Array(
      Type.Object({
        id: optional(Type.String()),
        line_item_ids: LineIds,
        selected_option_id: optional(Type.Union([bounded({ maxLength: 200 }), Type.Null()])),
      }),
      { maxItems: 20 },
    ),
  ),
});
export type Method = Static<typeof Method>;

export const Fulfillment = Type.Object({
  methods: optional(Type.Array(Method, { maxItems: 10, description: 'Destination and shipping option.' })),
});
export type Fulfillment = Static<typeof Fulfillment>;

const Context = Type.Object({
  currency: optional(
    bounded({ maxLength: 10, description: 'Preferred currency; the store’s own if it does not sell in it.' }),
  ),
});

export const CartInput = Type.Object({
  line_items: LineItems,
  buyer: optional(Buyer),
  discounts: optional(Codes),
});
export type CartInput = Static<typeof CartInput>;

export const CheckoutInput = Type.Object({
  line_items: LineItems,
  buyer: optional(Buyer),
  fulfillment: optional(Fulfillment),
  discounts: optional(Codes),
});
export type CheckoutInput = Static<typeof CheckoutInput>;

/** Input of a new checkout. If it names a cart, the cart's contents replace its line items. */
export const NewCheckoutInput = Type.Object({
  cart_id: optional(id('A cart to check out; its contents win over line_items.')),
  line_items: optional(Type.Array(LineItems.items, { maxItems: LINES_MAX })),
  buyer: optional(Buyer),
  fulfillment: optional(Fulfillment),
  discounts: optional(Codes),
  context: optional(Context),
});
export type NewCheckoutInput = Static<typeof NewCheckoutInput>;

const Instrument = Type.Object({
  id: optional(Type.String()),
  handler_id: optional(Type.String()),
  type: optional(Type.String()),
  selected: optional(Type.Boolean()),
  billing_address: optional(PostalAddress),
  credential: optional(Type.Object({ type: optional(Type.String()), token: optional(bounded({ maxLength: 500 })) })),
});

export const CompletionInput = Type.Object({
  payment: optional(Type.Object({ instruments: optional(Type.Array(Instrument, { maxItems: 10 })) })),
});
export type CompletionInput = Static<typeof CompletionInput>;

export const CatalogFilters = Type.Object({
  categories: optional(Type.Array(bounded({ maxLength: 500 }), { maxItems: 100 })),
  price: optional(
    Type.Object({
      min: optional(Type.Integer({ minimum: 0, description: 'Minor units.' })),
      max: optional(Type.Integer({ minimum: 0, description: 'Minor units.' })),
    }),
  ),
  available: optional(Type.Boolean({ description: 'Only available variants.' })),
});

export type CatalogFilters = Static<typeof CatalogFilters>;

export const SearchInput = Type.Object({
  context: optional(Context),
  query: optional(
    bounded({ maxLength: 500, description: 'Search words. Empty matches all products that pass the filters.' }),
  ),
  filters: optional(CatalogFilters),
  pagination: optional(
    Type.Object({
      cursor: optional(bounded({ maxLength: 2_000 })),
      limit: optional(Type.Integer({ minimum: 1, description: 'Products for each page, at most 50.' })),
    }),
  ),
});
export type SearchInput = Static<typeof SearchInput>;

export const LookUpInput = Type.Object({
  context: optional(Context),
  ids: Type.Array(id('A product’s or a variant’s id, or a product’s handle.'), { minItems: 1, maxItems: IDS_MAX }),
  filters: optional(CatalogFilters),
});
export type LookUpInput = Static<typeof LookUpInput>;

export const ProductInput = Type.Object({
  context: optional(Context),
  id: id('A product’s or a variant’s id.'),
  selected: optional(
    Type.Array(Type.Object({ name: bounded({ maxLength: 200 }), label: bounded({ maxLength: 200 }) }), {
      maxItems: 50,
      description: 'Options chosen so far.',
    }),
  ),
  preferences: optional(Type.Array(bounded({ maxLength: 200 }), { maxItems: 50 })),
  filters: optional(CatalogFilters),
});
export type ProductInput = Static<typeof ProductInput>;
