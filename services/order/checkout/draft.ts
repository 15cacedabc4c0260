// Drafts a checkout over several merchants: prices each merchant's order like a single order. Reserves nothing.
import type { PlaceCheckoutRequest } from '#proto/gen/checkout.ts';
import type { CreateOrderRequest } from '#proto/gen/order.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, invalid, notFound, Refusal, refuse, renamed, type Tenant } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { InnerCall } from '#runtime/host/inner_call.ts';
import { mergeLines, type RequestedLine } from '#services/order/basket.ts';
import type { OrderClients } from '#services/order/client.ts';
import { NO_ORIGIN } from '#services/order/origin.ts';
import type { OrderDraft, OrderPreparation } from '#services/order/preparation.ts';
import { fromMajor, minorMax, sum } from '#values/money.ts';
import { normalCode, normalEmail } from '#values/text.ts';

export interface MerchantBasket {
  readonly store: string;
  readonly param: string;
  readonly requested: readonly RequestedLine[];
  readonly shippingOption: string | null;
}

const MERCHANTS_MAX = 20;

const readBaskets = ({
  lines,
  shipping_option_ids: options = {},
}: Pick<PlaceCheckoutRequest, 'lines' | 'shipping_option_ids'>): readonly MerchantBasket[] | Refusal => {
  const byStore = Map.groupBy(lines.entries(), ([, { store_id }]) => store_id.toLowerCase());
  if (byStore.size > MERCHANTS_MAX)
    return invalid('lines', `A checkout names at most ${MERCHANTS_MAX} merchants; this one names ${byStore.size}.`);
  const optionOf = new Map(Object.entries(options).map(([store, option]) => [store.toLowerCase(), option]));
  const stray = Object.keys(options).find((store) => !byStore.has(store.toLowerCase()));
  if (stray !== undefined) return invalid(`shipping_option_ids.${stray}`, `No line names the merchant ${stray}.`);
  const baskets: MerchantBasket[] = [];
  for (const [store, own] of byStore) {
    const requested = mergeLines('lines', own);
    if (requested instanceof Refusal) return requested;
    const param = `lines[${own[0]![0]}].store_id`;
    baskets.push({ store, param, requested, shippingOption: optionOf.get(store) ?? null });
  }
  return baskets;
};

interface MerchantPart {
  readonly tenant: Tenant;
  readonly call: Call;
  readonly basket: MerchantBasket;
  readonly customer: string | null;
}

export interface MerchantDraft extends Omit<MerchantPart, 'customer'> {
  readonly draft: OrderDraft;
}

export interface CheckoutDraftParts {
  readonly domainClient: DomainClient;
  readonly clients: OrderClients;
  readonly preparation: OrderPreparation;
}

/** Returns the drafts in the order in which the lines first name their merchants. */
export type DraftCheckout = (call: Call, input: PlaceCheckoutRequest) => Promise<readonly MerchantDraft[] | Refusal>;

const INVALID_SESSION = refuse('unauthorized', 'The customer session is not valid.', {
  hint: 'X-Customer-Token is an access token of one of your merchants.',
});
const TOTAL_TOO_HIGH = refuse(
  'invalid_request',
  'The total exceeds the limit of 99,999,999.99 for a checkout. Split the checkout.',
  {
    param: 'lines',
  },
);

export const withCodeParam = (refusal: Refusal, codes: readonly string[] = []): Refusal => {
  const { details } = refusal.extra;
  if (refusal.code !== 'promotion_not_applicable' || details === undefined) return refusal;
  const at = codes.findIndex((each) => normalCode(each) === normalCode(details));
  return at < 0 ? refusal : renamed(refusal, () => `promotion_codes[${at}]`);
};

const withMerchant = (refusal: Refusal, { store }: MerchantBasket): Refusal => {
  const { code, message, extra } = refusal;
  const { param, details } = extra;
  const named = param === 'shipping_option_id' ? `shipping_option_ids.${store}` : param;
  return new Refusal(code, message, {
    ...extra,
    ...(named === undefined ? {} : { param: named }),
    details: details ?? `Merchant ${store}.`,
  });
};

const merchantObstacle = (
  baskets: readonly MerchantBasket[],
  profiles: readonly GetProfileResponse[],
): Refusal | null => {
  for (const [at, { lapsed, currency }] of profiles.entries()) {
    const { param } = baskets[at]!;
    if (lapsed) return refuse('conflict', 'This merchant does not sell at the moment.', { param });
    if (currency !== profiles[0]!.currency)
      return refuse('invalid_request', 'All merchants of a checkout sell in one currency.', {
        param,
        details: `This one sells in ${currency}, the first one in ${profiles[0]!.currency}.`,
      });
  }
  return null;
};

export const openCheckoutDraft = ({ domainClient, clients, preparation }: CheckoutDraftParts): DraftCheckout => {
  const { ask, askOrThrow } = domainClient;

  const accountsOf = async (
    call: Call,
    stores: readonly string[],
    token: string | undefined,
  ): Promise<ReadonlyMap<string, string> | Refusal> => {
    if (!token) return new Map();
    const found = await ask('CustomerDirectory/FindShopper', call, { stores, token });
    if (found instanceof Refusal) return found.code === 'not_found' ? INVALID_SESSION : found;
    return new Map(found.customers.map(({ store_id, customer }) => [store_id, customer.id]));
  };

  /** Assigns each code to the merchants where it applies. Refuses a code that applies nowhere. */
  const codesByMerchant = async (
    members: readonly MerchantPart[],
    { promotion_codes: codes = [], email }: PlaceCheckoutRequest,
  ): Promise<readonly (readonly string[])[] | Refusal> => {
    if (codes.length === 0) return members.map(() => []);
    const priced = await Promise.all(
      members.map(({ call, basket, customer }) =>
        clients.priceBasket(call, {
          items: basket.requested.map(({ variant, quantity }) => ({ variant_id: variant, quantity })),
          customer_id: customer,
          email: normalEmail(email),
          promotion_codes: codes,
        }),
      ),
    );
    const reasonAt = (at: number, code: string): string | undefined => {
      const reply = priced[at]!;
      // Skips a merchant whose basket cannot be priced: the draft of that merchant's order returns the refusal.
      if (reply instanceof Refusal) return undefined;
      return reply.rejected_codes.find((each) => normalCode(each.code) === normalCode(code))?.reason;
    };
    for (const [at, code] of codes.entries())
      if (members.every((_, member) => reasonAt(member, code) !== undefined))
        return refuse('promotion_not_applicable', reasonAt(0, code)!, {
          param: `promotion_codes[${at}]`,
          details: code,
        });
    return members.map((_, member) => codes.filter((code) => reasonAt(member, code) === undefined));
  };

  const draft = async (
    { tenant, call, basket, customer }: MerchantPart,
    input: PlaceCheckoutRequest,
    codes: readonly string[],
  ) => {
    const order: CreateOrderRequest = {
      email: input.email,
      shipping_address: input.shipping_address,
      ...(input.billing_address ? { billing_address: input.billing_address } : {}),
      ...(customer === null ? {} : { customer_id: customer }),
      ...(basket.shippingOption === null ? {} : { shipping_option_id: basket.shippingOption }),
      promotion_codes: [...codes],
      note: input.note ?? null,
    };
    const drafted = await preparation.draft(call, order, { ...NO_ORIGIN, kind: 'group', requested: basket.requested });
    if (drafted instanceof Refusal) return withCodeParam(withMerchant(drafted, basket), input.promotion_codes);
    return { tenant, call, basket, draft: drafted };
  };

  return async (call, input) => {
    const baskets = readBaskets(input);
    if (baskets instanceof Refusal) return baskets;
    const { stores } = await askOrThrow('StoreDirectory/ListMerchants', call, { operator_id: call.tenant.store });
    const notMember = baskets.find(({ store }) => !stores.includes(store));
    if (notMember) return notFound('store', notMember.param);
    const accounts = await accountsOf(call, stores, input.customer_token);
    if (accounts instanceof Refusal) return accounts;
    const members = baskets.map((basket): MerchantPart => {
      const tenant: Tenant = { store: basket.store, environment: call.tenant.environment };
      const { deadline, requestId, trace } = call;
      return {
        tenant,
        call: new InnerCall(tenant, deadline, { requestId, trace }),
        basket,
        customer: accounts.get(basket.store) ?? null,
      };
    });
    const profiles = await Promise.all(members.map((member) => clients.storeProfile(member.call)));
    const obstacle = merchantObstacle(baskets, profiles);
    if (obstacle) return obstacle;
    const codes = await codesByMerchant(members, input);
    if (codes instanceof Refusal) return codes;
    const drafts = await Promise.all(members.map((member, at) => draft(member, input, codes[at]!)));
    const drafted: MerchantDraft[] = [];
    for (const each of drafts) {
      if (each instanceof Refusal) return each;
      drafted.push(each);
    }
    const { currency } = drafted[0]!.draft;
    const total = sum(drafted.map(({ draft: { priced } }) => fromMajor(priced.total, currency)));
    return total > minorMax(currency) ? TOTAL_TOO_HIGH : drafted;
  };
};
