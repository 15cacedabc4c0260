// Identifies a shopper across all merchants of an operator.
import type { MarketplaceRpcs, Shopper } from '#proto/gen/marketplace.ts';
import type { Address } from '#proto/gen/shared.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import { derivedId } from '#runtime/process/derived_id.ts';

const INVALID_SESSION = refuse('unauthorized', 'The customer session is not valid.', {
  hint: 'Send the header `X-Customer-Token` with an access token of one of your merchants.',
});

const distinct = (addresses: readonly Address[]): Address[] => [
  ...new Map(addresses.map((address) => [JSON.stringify(Object.entries(address).sort()), address])).values(),
];

export const shopperHandlers = ({ ask, askOrThrow }: DomainClient): Pick<Handlers<MarketplaceRpcs>, 'GetShopper'> => ({
  GetShopper: query(async (_sql, call, { customer_token: token }) => {
    if (!token) return INVALID_SESSION;
    const { store: operator, environment } = call.tenant;
    const { stores } = await askOrThrow('StoreDirectory/ListMerchants', call, { operator_id: operator });
    const found = await ask('CustomerDirectory/FindShopper', call, { stores, token });
    if (found instanceof Refusal) return found.code === 'not_found' ? INVALID_SESSION : found;
    const { email, proved } = found;
    const customers = found.customers.map(({ store_id, customer }) => ({ store_id, customer_id: customer.id }));
    const { orders_count } = await askOrThrow('OrderDirectory/CountOrders', call, { customers });
    // Derived from the e-mail address only if it is verified; an unverified one does not identify a person, so the
    // account does.
    const name = proved ? ['email', email] : ['customer', customers[0]!.store_id, customers[0]!.customer_id];
    const shopper: Shopper = {
      shopper_id: derivedId('shopper', operator, environment, ...name),
      email,
      customers: customers.toSorted((a, b) => (a.store_id < b.store_id ? -1 : 1)),
      orders_count,
      addresses: distinct(found.customers.flatMap(({ customer }) => customer.addresses)),
    };
    return { shopper };
  }),
});
