// Catalogue operations: search, lookup, product detail and shipping options.
import { Type } from '@sinclair/typebox';
import { envelopeOf } from '#edge/assistant/ucp/document/envelope.ts';
import { optionOf } from '#edge/assistant/ucp/document/fulfillment.ts';
import { failureOf } from '#edge/assistant/ucp/document/message.ts';
import { productDocument, type View } from '#edge/assistant/ucp/document/product.ts';
import {
  bounded,
  Envelope,
  Failure,
  FulfillmentOption,
  type Message,
  OneProduct,
  Products,
} from '#edge/assistant/ucp/document/schema.ts';
import { addressOf } from '#edge/assistant/ucp/input/checkout.ts';
import { searchNaming, shippingNaming } from '#edge/assistant/ucp/input/path.ts';
import {
  type CatalogFilters,
  Destination,
  LineItems,
  LookUpInput,
  ProductInput,
  SearchInput,
} from '#edge/assistant/ucp/input/schema.ts';
import type { Product } from '#proto/gen/product.ts';
import { notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';
import { minorOf } from '#services/commerce/ucp_basket.ts';
import { type Currency, currencyOf } from '#values/currency.ts';
import { minorMax, toMajor } from '#values/money.ts';
import { findCart } from './cart.ts';
import { type OperationCall, operation, READS, refusedWith, succeededWith } from './operation.ts';
import { malformed, outcomeOf } from './outcome.ts';

const LIMIT_MAX = 50;

const shownAs = (products: readonly Product[], view: View) =>
  products.map((product) => productDocument(product, view)).filter((product) => product !== null);

/** Returns the currency that a search prefers if the store has it, else the store's. */
const preferredOf = (
  { currency, currencies }: OperationCall['shop'],
  context: { readonly currency?: string } | undefined,
): string => {
  const preferred = context?.currency?.toUpperCase();
  return preferred !== undefined && currencies.includes(preferred) ? preferred : currency;
};

const priceFault = (filters: CatalogFilters | undefined, currency: Currency): Refusal | null => {
  const most = minorMax(currency);
  const name = (['min', 'max'] as const).find((bound) => (filters?.price?.[bound] ?? 0) > most);
  if (name === undefined) return null;
  const param = `catalog.filters.price.${name}`;
  return refuse('invalid_request', `\`${param}\` must be at most ${most}.`, { param });
};

const NO_SEARCH_TERMS = refuse(
  'invalid_request',
  'A `query` or `filters` is needed; an empty query finds everything.',
  {
    param: 'catalog.query',
  },
);

const searchCatalog = operation(
  {
    name: 'search_catalog',
    title: 'Search the catalogue',
    description:
      'Searches the store’s products by words, category, price and availability. Prices are in minor units of the currency. Use variant ids in carts and checkouts. At most 50 products for each page.',
    trait: READS,
    input: Type.Object({ catalog: SearchInput }),
    output: [Products, Failure],
  },
  async ({ core, shop }, { catalog: { context, query, filters, pagination } }) => {
    if (query === undefined && Object.keys(filters ?? {}).length === 0) return NO_SEARCH_TERMS;
    const currency = currencyOf(preferredOf(shop, context));
    const fault = priceFault(filters, currency);
    if (fault) return fault;
    const bound = (minor: number | undefined) => (minor === undefined ? {} : toMajor(minor, currency));
    const [min, max] = [bound(filters?.price?.min), bound(filters?.price?.max)];
    const found = await core.find({
      query: query ?? null,
      currency: currency.code,
      ...(filters?.categories && { categories: filters.categories }),
      ...(typeof min === 'number' && { min_price: min }),
      ...(typeof max === 'number' && { max_price: max }),
      ...(filters?.available && { in_stock: true }),
      ...(pagination?.limit && { limit: Math.min(LIMIT_MAX, pagination.limit) }),
      ...(pagination?.cursor && { cursor: pagination.cursor }),
    });
    if (found instanceof Refusal) {
      const named = renamed(found, searchNaming);
      return malformed(named, null) ?? outcomeOf(named);
    }
    const { products, total, next_cursor } = found;
    return succeededWith({
      ucp: envelopeOf('search'),
      products: shownAs(products, { website: shop.website_url }),
      pagination: {
        has_next_page: next_cursor !== null,
        ...(next_cursor !== null && { cursor: next_cursor }),
        total_count: total,
      },
    });
  },
);

const unknown = (ids: readonly string[]): Message[] =>
  ids.map((id) => ({ type: 'info', code: 'not_found', content: id }));

const lookUpCatalog = operation(
  {
    name: 'lookup_catalog',
    title: 'Look up products',
    description:
      'Returns products by their ids, variant ids or handles. The field inputs of a variant lists the ids that matched it. Unknown ids are left out and listed in messages. At most 50 ids.',
    trait: READS,
    input: Type.Object({ catalog: LookUpInput }),
    output: [Products, Failure],
  },
  async ({ core, shop }, { catalog: { context, ids, filters } }) => {
    const currency = preferredOf(shop, context);
    const fault = priceFault(filters, currencyOf(currency));
    if (fault) return fault;
    const found = await core.lookUp(ids, currency);
    if (found instanceof Refusal) return outcomeOf(found);
    const { products, matches } = found;
    const known = new Set(matches.map(({ id }) => id));
    const missing = [...new Set(ids)].filter((id) => !known.has(id));
    const documents = products.flatMap((product) => {
      const own = matches.filter(({ product_id }) => product_id === product.id);
      return shownAs([product], { website: shop.website_url, matches: own, ...(filters && { filters }) });
    });
    return succeededWith({
      ucp: envelopeOf('lookup'),
      products: documents,
      ...(missing.length > 0 && { messages: unknown(missing) }),
    });
  },
);

const getProduct = operation(
  {
    name: 'get_product',
    title: 'Read a product',
    description:
      'Returns one product with its options and variants. With selected options it also returns which values remain available and which variants match. At most 50 selected options.',
    trait: READS,
    input: Type.Object({ catalog: ProductInput }),
    output: [OneProduct, Failure],
  },
  async ({ core, shop }, { catalog: { context, id, selected = [], preferences = [], filters } }) => {
    const currency = preferredOf(shop, context);
    const fault = priceFault(filters, currencyOf(currency));
    if (fault) return fault;
    const found = await core.lookUp([id], currency);
    if (found instanceof Refusal) return outcomeOf(found);
    const { products, matches } = found;
    const variant = matches[0]?.variant_id ?? null;
    const [document] = shownAs(products, {
      website: shop.website_url,
      chosen: { selected, preferences, variant },
      ...(filters && { filters }),
    });
    if (!document) return refusedWith(failureOf(notFound('product', 'id')));
    return succeededWith({ ucp: envelopeOf('lookup'), product: document });
  },
);

const ShippingOptions = Type.Object({
  ucp: Envelope,
  currency: Type.String(),
  options: Type.Array(
    Type.Composite([
      FulfillmentOption,
      Type.Object({ type: Type.Union([Type.Literal('shipping'), Type.Literal('pickup')]) }),
    ]),
  ),
});

const ONE_OF = refuse('invalid_request', 'Exactly one of `cart_id` and `line_items` is needed.', {
  param: 'line_items',
});

const getShippingOptions = operation(
  {
    name: 'get_shipping_options',
    title: 'List shipping options',
    description:
      'Lists the shipping and pickup options for a cart or line items and a destination, with their prices. Send either cart_id or line_items. Reserves no stock.',
    trait: READS,
    input: Type.Object({
      cart_id: Type.Optional(bounded({ minLength: 1, maxLength: 300 })),
      line_items: Type.Optional(LineItems),
      destination: Destination,
    }),
    output: [ShippingOptions, Failure],
  },
  async ({ core }, { cart_id, line_items, destination }) => {
    if ((cart_id === undefined) === (line_items === undefined)) return ONE_OF;
    const cart = cart_id === undefined ? null : await findCart({ core }, cart_id);
    if (cart instanceof Refusal) return outcomeOf(renamed(cart, shippingNaming));
    const items =
      cart?.items.map(({ variant_id, quantity }) => ({ variant_id, quantity })) ??
      line_items!.map(({ item, quantity }) => ({ variant_id: item.id, quantity }));
    const quoted = await core.shippingOptions({ items, address: addressOf(destination) });
    const found = cart ? mapStoredLineRefusal(quoted, items, 'cart_draft_id') : quoted;
    if (found instanceof Refusal) {
      const named = renamed(found, shippingNaming);
      return malformed(named, null) ?? outcomeOf(named);
    }
    const minor = minorOf(found.currency);
    return succeededWith({
      ucp: envelopeOf('fulfillment'),
      currency: found.currency,
      options: found.options
        .filter(({ available }) => available)
        .map((option) => ({
          ...optionOf(option, minor),
          type: option.method === 'pickup' ? 'pickup' : 'shipping',
        })),
    });
  },
);

export const CATALOGUE_OPERATIONS = [searchCatalog, lookUpCatalog, getProduct, getShippingOptions];
