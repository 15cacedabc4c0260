// JSON Schemas and types of UCP documents. Amounts are in minor units.
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Text, type TextBounds } from '#proto/format.ts';
import { UCP_VERSION } from '#services/commerce/ucp_order.ts';

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema);
/** A text whose length is counted in Unicode characters; TypeBox would count an emoji as two. */
export const bounded = (bounds: TextBounds & { readonly description?: string }) => Type.Unsafe<string>(Text(bounds));
const text = (description: string) => Type.String({ description });
const texts = (description: string) => Type.Array(Type.String(), { description });

export const Versions = Type.Record(Type.String(), Type.Array(Type.Object({ version: Type.String() })), {
  description: 'Capabilities that the answer is made with, by name.',
});

export const Handlers = Type.Record(
  Type.String(),
  Type.Array(
    Type.Object({
      id: Type.String(),
      version: Type.String(),
      available_instruments: optional(Type.Array(Type.Object({ type: Type.String() }))),
      config: optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  { description: 'Ways to pay that a checkout can be completed with; none: the buyer pays at continue_url.' },
);

export const Envelope = Type.Object({
  version: Type.Literal(UCP_VERSION),
  status: optional(Type.Union([Type.Literal('success'), Type.Literal('error')])),
  capabilities: optional(Versions),
  payment_handlers: optional(Handlers),
});
export type Envelope = Static<typeof Envelope>;

export const Message = Type.Object({
  type: Type.Union([Type.Literal('error'), Type.Literal('warning'), Type.Literal('info')]),
  code: optional(Type.String()),
  content: text('For people.'),
  path: optional(text('JSONPath of what it is about.')),
  severity: optional(
    Type.Union([
      Type.Literal('recoverable'),
      Type.Literal('requires_buyer_input'),
      Type.Literal('requires_buyer_review'),
      Type.Literal('unrecoverable'),
    ]),
  ),
});
export type Message = Static<typeof Message>;

export const Price = Type.Object({ amount: Type.Integer(), currency: Type.String() });
export const PriceRange = Type.Object({ min: Price, max: Price });
export const Total = Type.Object({
  type: Type.String(),
  display_text: optional(Type.String()),
  amount: Type.Integer({ description: 'Minor units.' }),
});
export type Total = Static<typeof Total>;

export const Link = Type.Object({ type: Type.String(), url: Type.String(), title: optional(Type.String()) });
export type Link = Static<typeof Link>;

const Media = Type.Object({ type: Type.String(), url: Type.String(), alt_text: optional(Type.String()) });
const Description = Type.Object({ plain: Type.String(), html: optional(Type.String()) });
const Rating = Type.Object({
  value: Type.Number(),
  scale_min: Type.Number(),
  scale_max: Type.Number(),
  count: Type.Integer(),
});
const SelectedOption = Type.Object({ name: Type.String(), label: Type.String() });

export const Variant = Type.Object({
  id: text('What line items name.'),
  sku: optional(Type.String()),
  barcodes: optional(Type.Array(Type.Object({ type: Type.String(), value: Type.String() }))),
  title: Type.String(),
  description: Description,
  url: optional(Type.String()),
  price: Price,
  list_price: optional(Price),
  availability: Type.Object({ available: Type.Boolean(), status: Type.String() }),
  options: optional(Type.Array(SelectedOption)),
  media: optional(Type.Array(Media)),
  inputs: optional(Type.Array(Type.Object({ id: Type.String(), match: Type.String() }))),
});
export type Variant = Static<typeof Variant>;

const OptionValue = Type.Object({
  label: Type.String(),
  available: optional(Type.Boolean()),
  exists: optional(Type.Boolean()),
});

export const Product = Type.Object({
  id: Type.String(),
  handle: optional(Type.String()),
  title: Type.String(),
  description: Description,
  url: optional(Type.String()),
  categories: optional(Type.Array(Type.Object({ value: Type.String(), taxonomy: optional(Type.String()) }))),
  price_range: PriceRange,
  list_price_range: optional(PriceRange),
  media: optional(Type.Array(Media)),
  options: optional(Type.Array(Type.Object({ name: Type.String(), values: Type.Array(OptionValue) }))),
  selected: optional(Type.Array(SelectedOption)),
  variants: Type.Array(Variant, { minItems: 1 }),
  rating: optional(Rating),
  tags: optional(texts('')),
});
export type Product = Static<typeof Product>;

export const Buyer = Type.Object({
  first_name: optional(bounded({ maxLength: 100 })),
  last_name: optional(bounded({ maxLength: 100 })),
  email: optional(bounded({ maxLength: 254 })),
  phone_number: optional(bounded({ maxLength: 40 })),
});
export type Buyer = Static<typeof Buyer>;

export const PostalAddress = Type.Object({
  street_address: optional(bounded({ maxLength: 200 })),
  extended_address: optional(bounded({ maxLength: 200 })),
  address_locality: optional(bounded({ maxLength: 100 })),
  address_region: optional(bounded({ maxLength: 100 })),
  address_country: optional(bounded({ maxLength: 100, description: 'ISO 3166-1 alpha-2.' })),
  postal_code: optional(bounded({ maxLength: 16 })),
  first_name: optional(bounded({ maxLength: 100 })),
  last_name: optional(bounded({ maxLength: 100 })),
  phone_number: optional(bounded({ maxLength: 40 })),
});
export type PostalAddress = Static<typeof PostalAddress>;

export const LineItem = Type.Object({
  id: Type.String(),
  item: Type.Object({
    id: Type.String(),
    title: Type.String(),
    price: Type.Integer({ description: 'Of one, in minor units.' }),
    image_url: optional(Type.String()),
  }),
  quantity: Type.Integer(),
  totals: Type.Array(Total),
});
export type LineItem = Static<typeof LineItem>;

export const FulfillmentOption = Type.Object({
  id: Type.String(),
  title: Type.String(),
  description: optional(Type.String()),
  totals: Type.Array(Total),
});
export type FulfillmentOption = Static<typeof FulfillmentOption>;

const Destination = Type.Composite([
  PostalAddress,
  Type.Object({ id: Type.String(), name: optional(Type.String()), address: optional(PostalAddress) }),
]);

export const FulfillmentMethod = Type.Object({
  id: Type.String(),
  type: Type.Union([Type.Literal('shipping'), Type.Literal('pickup')]),
  line_item_ids: Type.Array(Type.String()),
  destinations: optional(Type.Array(Destination)),
  selected_destination_id: optional(Type.Union([Type.String(), Type.Null()])),
  groups: optional(
    Type.Array(
      Type.Object({
        id: Type.String(),
        line_item_ids: Type.Array(Type.String()),
        options: optional(Type.Array(FulfillmentOption)),
        selected_option_id: optional(Type.Union([Type.String(), Type.Null()])),
      }),
    ),
  ),
});
export type FulfillmentMethod = Static<typeof FulfillmentMethod>;

export const Discounts = Type.Object({
  codes: Type.Array(Type.String()),
  applied: Type.Array(
    Type.Object({
      code: optional(Type.String()),
      title: Type.String(),
      amount: Type.Integer(),
      automatic: Type.Boolean(),
    }),
  ),
});
export type Discounts = Static<typeof Discounts>;

export const Checkout = Type.Object({
  ucp: Envelope,
  id: Type.String(),
  status: Type.Union([
    Type.Literal('incomplete'),
    Type.Literal('requires_escalation'),
    Type.Literal('ready_for_complete'),
    Type.Literal('complete_in_progress'),
    Type.Literal('completed'),
    Type.Literal('canceled'),
  ]),
  currency: Type.String(),
  line_items: Type.Array(LineItem),
  totals: Type.Array(Total),
  buyer: optional(Buyer),
  fulfillment: optional(Type.Object({ methods: Type.Array(FulfillmentMethod) })),
  discounts: optional(Discounts),
  messages: Type.Array(Message),
  links: Type.Array(Link),
  expires_at: Type.String(),
  continue_url: optional(text('Where the buyer can finish by themselves.')),
  order: optional(Type.Object({ id: Type.String(), label: optional(Type.String()), permalink_url: Type.String() })),
});
export type Checkout = Static<typeof Checkout>;

export const Cart = Type.Object({
  ucp: Envelope,
  id: Type.String(),
  currency: Type.String(),
  line_items: Type.Array(LineItem),
  totals: Type.Array(Total),
  buyer: optional(Buyer),
  discounts: optional(Discounts),
  messages: Type.Array(Message),
  links: Type.Array(Link),
  expires_at: Type.String(),
});
export type Cart = Static<typeof Cart>;

const Pieces = Type.Object({ id: Type.String(), quantity: Type.Integer() });

export const Order = Type.Object({
  ucp: Envelope,
  id: Type.String(),
  label: Type.String(),
  checkout_id: Type.String(),
  permalink_url: Type.String(),
  currency: Type.String(),
  line_items: Type.Array(
    Type.Object({
      id: Type.String(),
      item: Type.Object({ id: Type.String(), title: Type.String(), price: Type.Integer() }),
      quantity: Type.Object({ original: Type.Integer(), total: Type.Integer(), fulfilled: Type.Integer() }),
      totals: Type.Array(Total),
      status: Type.Union([
        Type.Literal('processing'),
        Type.Literal('partial'),
        Type.Literal('fulfilled'),
        Type.Literal('removed'),
      ]),
    }),
  ),
  fulfillment: Type.Object({
    expectations: Type.Array(
      Type.Object({
        id: Type.String(),
        line_items: Type.Array(Pieces),
        method_type: Type.String(),
        destination: PostalAddress,
        description: optional(Type.String()),
      }),
    ),
    events: Type.Array(
      Type.Object({
        id: Type.String(),
        occurred_at: Type.String(),
        type: Type.String(),
        line_items: Type.Array(Pieces),
        tracking_number: optional(Type.String()),
        tracking_url: optional(Type.String()),
        carrier: optional(Type.String()),
      }),
    ),
  }),
  adjustments: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.String(),
      occurred_at: Type.String(),
      status: Type.Union([Type.Literal('pending'), Type.Literal('completed'), Type.Literal('failed')]),
      totals: Type.Array(Total),
      description: optional(Type.String()),
    }),
  ),
  totals: Type.Array(Total),
});
export type Order = Static<typeof Order>;

/** The document that a response contains instead of the resource if `ucp.status` is `error`. */
export const Failure = Type.Object({
  ucp: Envelope,
  messages: Type.Array(Message, { minItems: 1 }),
  continue_url: optional(Type.String()),
});
export type Failure = Static<typeof Failure>;

export const Products = Type.Object({
  ucp: Envelope,
  products: Type.Array(Product),
  pagination: optional(
    Type.Object({
      has_next_page: Type.Boolean(),
      cursor: optional(Type.String()),
      total_count: optional(Type.Integer()),
    }),
  ),
  messages: optional(Type.Array(Message)),
});
export type Products = Static<typeof Products>;

export const OneProduct = Type.Object({ ucp: Envelope, product: Product });
export type OneProduct = Static<typeof OneProduct>;
