// Collects everything about a customer from the domains that have it, as their endpoints show it to the store.
import type { RpcName, RpcRequest, RpcResponse } from '#proto/gen/rpcs.ts';
import type { Pagination } from '#proto/gen/shared.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';

export type Archive = Readonly<Record<string, object | readonly object[]>>;

type AskPrivately = <R extends RpcName>(rpc: R, input: RpcRequest<R>) => Promise<RpcResponse<R>>;

const PAGE = 100;

interface PageQuery {
  readonly limit: number;
  readonly cursor?: string;
}

const everyPage = async <P extends { readonly pagination: Pagination }, T extends object>(
  read: (page: PageQuery) => Promise<P>,
  itemsOf: (page: P) => readonly T[],
): Promise<T[]> => {
  const items: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: P = await read(cursor === null ? { limit: PAGE } : { limit: PAGE, cursor });
    items.push(...itemsOf(page));
    cursor = page.pagination.next_cursor;
    if (cursor === null) return items;
  }
};

const ordersOf = async (ask: AskPrivately, customer_id: string) => {
  const orders = await everyPage(
    (page) => ask('Order/ListOrders', { customer_id, ...page }),
    (page) => page.orders,
  );
  const payments: object[] = [];
  for (const { id: order_id } of orders)
    payments.push(
      ...(await everyPage(
        (page) => ask('Payment/ListPayments', { order_id, ...page }),
        (page) => page.payments,
      )),
    );
  return { orders, payments };
};

const threadsOf = async (ask: AskPrivately, customer_id: string) => {
  const threads = await everyPage(
    (page) => ask('Messaging/ListThreads', { customer_id, ...page }),
    (page) => page.threads,
  );
  const whole: object[] = [];
  for (const thread of threads) {
    const messages = await everyPage(
      (page) => ask('Messaging/ListThreadMessages', { id: thread.id, ...page }),
      (page) => page.messages,
    );
    whole.push({ ...thread, messages });
  }
  return whole;
};

const wholesaleOf = async (ask: AskPrivately, customer_id: string) => ({
  rfqs: await everyPage(
    (page) => ask('Wholesale/ListRfqs', { customer_id, ...page }),
    (page) => page.data,
  ),
  quotes: await everyPage(
    (page) => ask('Wholesale/ListQuotes', { customer_id, ...page }),
    (page) => page.data,
  ),
  purchase_orders: await everyPage(
    (page) => ask('Wholesale/ListPurchaseOrders', { customer_id, ...page }),
    (page) => page.data,
  ),
  invoices: await everyPage(
    (page) => ask('Wholesale/ListInvoices', { customer_id, ...page }),
    (page) => page.data,
  ),
});

/** Returns null if the customer was deleted. */
export const collectArchive = async (
  { ask: asked }: Pick<Runtime, 'ask'>,
  tenant: Tenant,
  customer_id: string,
): Promise<Archive | null> => {
  const ask: AskPrivately = async (rpc, input) => {
    const reply = await asked(rpc, tenant, input, { keyType: 'secret' });
    if (reply instanceof Refusal) throw new Unavailable(`${rpc}: ${reply.message}`);
    return reply;
  };
  const found = await asked('Account/GetCustomer', tenant, { id: customer_id }, { keyType: 'secret' });
  if (found instanceof Refusal && found.code === 'not_found') return null;
  if (found instanceof Refusal) throw new Unavailable(found.message);
  return {
    customer: found.customer,
    sessions: await everyPage(
      (page) => ask('AccountSession/ListSessions', { id: customer_id, ...page }),
      (page) => page.sessions,
    ),
    cart: (await ask('Cart/GetCart', { customer_id })).cart,
    wishlist: (await ask('Wishlist/GetWishlist', { customer_id })).wishlist,
    ...(await ordersOf(ask, customer_id)),
    returns: await everyPage(
      (page) => ask('Return/ListReturns', { customer_id, ...page }),
      (page) => page.data,
    ),
    disputes: await everyPage(
      (page) => ask('Dispute/ListDisputes', { customer_id, ...page }),
      (page) => page.data,
    ),
    gift_cards: await everyPage(
      (page) => ask('Value/ListIssuedCards', { customer_id, ...page }),
      (page) => page.gift_cards,
    ),
    store_credit: (await ask('Value/GetStoreCredit', { customer_id })).store_credit,
    reviews: await everyPage(
      (page) => ask('Review/ListReviews', { customer_id, ...page }),
      (page) => page.reviews,
    ),
    threads: await threadsOf(ask, customer_id),
    ...(await wholesaleOf(ask, customer_id)),
    mail_suppressions: await everyPage(
      (page) => ask('MailSuppression/ListMailSuppressions', { email: found.customer.email, ...page }),
      (page) => page.mail_suppressions,
    ),
  };
};
