// The rows of a test's merchant: keys, and an id of each resource.
import type { Keys, sendTo } from '#test/support/stoa.ts';

export const requireSuccess = async (reply: ReturnType<typeof sendTo>) => {
  const { status, body, text } = await reply;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};

export interface Owner {
  readonly keys: Keys;
  /** Key of an operator over this store alone. */
  readonly operatorKey: string;
  readonly operatorTestKey: string;
  /** A shopper's access token in production. */
  readonly customerToken: string;
  /** Cookie of an owner's session of the dashboard. */
  readonly staffCookie: string;
  readonly records: Records;
}

/** The ids of a merchant's records, by the path parameter that names them. */
export interface Records {
  /** A restricted key. */
  readonly key: string;
  readonly product: string;
  readonly variant: string;
  /** A product without stock. */
  readonly emptyProduct: string;
  readonly slug: string;
  readonly category: string;
  readonly collection: string;
  readonly priceList: string;
  readonly media: string;
  readonly promotion: string;
  readonly taxRate: string;
  readonly mailSuppression: string;
  /** The secret at the end of the address for bounces. */
  readonly bounceToken: string;
  /** Published, as the lookbook is, at the slug `story`. */
  readonly post: string;
  readonly lookbook: string;
  readonly story: string;
  readonly feed: string;
  readonly job: string;
  readonly provider: string;
  readonly customer: string;
  /** A complete export of the customer's data. */
  readonly customerExport: string;
  /** A customer who was erased. */
  readonly erasedCustomer: string;
  /** A session of the customer's, other than that of `customerToken`. */
  readonly customerSession: string;
  readonly giftCard: string;
  /** Waits to be moderated; its product is deleted, so that no decision shows in the catalogue a moment later. */
  readonly review: string;
  readonly thread: string;
  /** The store's, in that thread. */
  readonly message: string;
  /** Paid for; one piece of two is enough to give back. */
  readonly order: string;
  /** Asked for by its shopper, of an order of theirs. */
  readonly orderReturn: string;
  readonly dispute: string;
  /** The slug of a curated section. */
  readonly section: string;
  /** The operator's group of one order. */
  readonly checkout: string;
  /** The same in the sandbox, where a simulator takes its payment. */
  readonly sandboxCheckout: string;
  /** The provider that pays its groups. */
  readonly operatorProvider: string;
  readonly quote: string;
  readonly draft: string;
  /** Request for quotation of a buyer, and the store's quotes. */
  readonly rfq: string;
  readonly wholesaleQuote: string;
  /** Issued of that quote, and another one that is confirmed. */
  readonly purchaseOrder: string;
  readonly confirmedOrder: string;
  /** Invoice of one unit of two. */
  readonly invoice: string;
  readonly intent: string;
  readonly paymentProvider: string;
  /** The reference of a payment in the sandbox, which is where a provider answers. */
  readonly payment: string;
  /** The reference of an authorised payment in the sandbox. */
  readonly authorizedPayment: string;
  /** A paused channel, which gets no push. */
  readonly channel: string;
  /** Grant of a connected app. */
  readonly grant: string;
  /** Hears of nothing that happens here. */
  readonly endpoint: string;
  readonly event: string;
  readonly sandboxEvent: string;
  /** Account of the staff without a session, and an open invitation. */
  readonly member: string;
  readonly invitation: string;
  /** Session of the dashboard beside the one of `staffCookie`. */
  readonly staffSession: string;
}
