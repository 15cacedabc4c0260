// The door of quotes: the seller sends, the buyer answers.
import { randomUUIDv7 } from 'bun';
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import type { CreateWholesaleQuoteRequest, WholesaleQuoteResponse } from '#proto/gen/wholesale_quote.ts';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { changedFields } from '#runtime/event/change.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { WholesaleNeighbours } from '#services/b2b/neighbour.ts';
import { makeOffer, type QuoteOffer } from '#services/b2b/offer.ts';
import { page } from '#services/b2b/page.ts';
import { answerObstacle, type QuoteRecord, quoteDocument } from '#services/b2b/quote.ts';
import { quoteObstacle } from '#services/b2b/rfq.ts';
import { nextNumber } from '#services/b2b/table/owner.ts';
import {
  answerQuote,
  findQuote,
  holdQuote,
  insertQuote,
  pageOfQuotes,
  rejectOthers,
} from '#services/b2b/table/quote.ts';
import { findRfq, holdRfq, setRfqStatus } from '#services/b2b/table/rfq.ts';
import { badAddress } from '#services/commerce/address.ts';

/** "30 days and `net_30` by default". */
const VALID_MS = 30 * 86_400_000;
const TERMS = 'net_30';

const BUYER_NEEDED = refuse('invalid_request', 'One of `rfq_id` and `customer_id` is needed.', { param: 'rfq_id' });
const ANOTHER_BUYER = refuse('invalid_request', 'The request for a quote is another customer’s.', {
  param: 'customer_id',
});

type QuoteRpc = 'CreateQuote' | 'ListQuotes' | 'GetQuote' | 'AcceptQuote' | 'RejectQuote';

interface Prepared extends QuoteOffer {
  readonly buyer: string;
}

/** To whom it is sent. */
const buyerOf = async (
  sql: Sql,
  neighbours: Pick<WholesaleNeighbours, 'customer'>,
  call: Call,
  { rfq_id, customer_id }: Pick<CreateWholesaleQuoteRequest, 'rfq_id' | 'customer_id'>,
): Promise<string | Refusal> => {
  if (!rfq_id && !customer_id) return BUYER_NEEDED;
  if (!rfq_id) {
    const customer = await neighbours.customer(call, customer_id!);
    return customer instanceof Refusal ? customer : customer.id;
  }
  const rfq = await findRfq(sql, call.tenant, null, rfq_id);
  if (rfq === null) return notFound('request for a quote', 'rfq_id');
  if (customer_id && customer_id.toLowerCase() !== rfq.customer_id) return ANOTHER_BUYER;
  // Who has gone answers no quote any more.
  const buyer = await neighbours.customer(call, rfq.customer_id);
  return buyer instanceof Refusal ? renamed(buyer, () => 'rfq_id') : buyer.id;
};

export const quoteHandlers = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  neighbours: WholesaleNeighbours,
): Pick<Handlers<WholesaleRpcs>, QuoteRpc> => {
  /** A request that is quoted; null where the quote answers none. */
  const answerRequest = async (tx: Transaction, { tenant }: Call, id: string | null): Promise<Refusal | null> => {
    if (id === null) return null;
    const rfq = await holdRfq(tx.sql, tenant, null, id);
    if (rfq === null) return notFound('request for a quote', 'rfq_id');
    const obstacle = quoteObstacle(rfq);
    if (obstacle === null && rfq.status !== 'quoted') await setRfqStatus(tx.sql, tenant, rfq.id, 'quoted');
    return obstacle;
  };

  return {
    CreateQuote: staged<CreateWholesaleQuoteRequest, WholesaleQuoteResponse, Prepared>({
      prepare: async (call, input) => {
        const nowhere = badAddress(input.shipping_address, 'shipping_address');
        if (nowhere) return nowhere;
        if (input.valid_until && new Date(input.valid_until) <= clock.now(call.tenant))
          return refuse('invalid_request', '`valid_until` must be in the future.', { param: 'valid_until' });
        const buyer = await buyerOf(postgres.sql, neighbours, call, input);
        if (buyer instanceof Refusal) return buyer;
        const offer = await makeOffer(neighbours, call, input);
        return offer instanceof Refusal ? offer : { ...offer, buyer };
      },
      run: async (tx, call, input, { buyer, ...offer }) => {
        const { tenant } = call;
        const rfq_id = input.rfq_id?.toLowerCase() ?? null;
        const refused = await answerRequest(tx, call, rfq_id);
        if (refused) return refused;
        const now = tx.clock.now(tenant);
        const quote: QuoteRecord = {
          ...offer,
          id: randomUUIDv7(),
          number: await nextNumber(tx.sql, tenant, 'quote'),
          rfq_id,
          customer_id: buyer,
          status: 'sent',
          payment_terms: input.payment_terms ?? TERMS,
          shipping_address: input.shipping_address ?? null,
          note: input.note ?? null,
          reason: null,
          valid_until: input.valid_until ? new Date(input.valid_until) : new Date(now.getTime() + VALID_MS),
          created_at: now,
        };
        await insertQuote(tx.sql, tenant, quote);
        const object = quoteDocument(quote, now);
        await tx.emit(tenant, [{ type: 'b2b.quote.sent', object }]);
        return { data: object };
      },
      undo: () => {},
    }),

    ListQuotes: query((sql, call, input) => {
      const now = clock.now(call.tenant);
      return page(
        'quotes',
        call,
        input,
        (...wanted) => pageOfQuotes(sql, call.tenant, ...wanted, now),
        (quote) => quoteDocument(quote, now),
      );
    }),

    GetQuote: query(async (sql, { tenant, customer }, { id }) => {
      const quote = await findQuote(sql, tenant, customer, id);
      return quote === null ? notFound('quote') : { data: quoteDocument(quote, clock.now(tenant)) };
    }),

    AcceptQuote: transaction(async (tx, { tenant, customer }, { id, reason = null }) => {
      const { sql } = tx;
      const found = await findQuote(sql, tenant, customer, id);
      if (found === null) return notFound('quote');
      // The request is held first: of two of its quotes that are accepted at once, one is.
      if (found.rfq_id !== null) await holdRfq(sql, tenant, null, found.rfq_id);
      const quote = await holdQuote(sql, tenant, customer, id);
      if (quote === null) return notFound('quote');
      const now = tx.clock.now(tenant);
      const obstacle = answerObstacle(quote, now);
      if (obstacle) return obstacle;
      const accepted: QuoteRecord = { ...quote, status: 'accepted', reason };
      await answerQuote(sql, tenant, accepted);
      const rejected = await rejectOthers(sql, tenant, quote, now);
      if (quote.rfq_id !== null) await setRfqStatus(sql, tenant, quote.rfq_id, 'closed');
      const object = quoteDocument(accepted, now);
      const previousAttributes = { status: 'sent' };
      await tx.emit(tenant, [
        { type: 'b2b.quote.accepted', object, previousAttributes: changedFields(quoteDocument(quote, now), object) },
        ...rejected.map(
          (other) => ({ type: 'b2b.quote.rejected', object: quoteDocument(other, now), previousAttributes }) as const,
        ),
      ]);
      return { data: object };
    }),

    RejectQuote: transaction(async (tx, { tenant, customer }, { id, reason = null }) => {
      const quote = await holdQuote(tx.sql, tenant, customer, id);
      if (quote === null) return notFound('quote');
      const now = tx.clock.now(tenant);
      const obstacle = answerObstacle(quote, now);
      if (obstacle) return obstacle;
      const rejected: QuoteRecord = { ...quote, status: 'rejected', reason };
      await answerQuote(tx.sql, tenant, rejected);
      const object = quoteDocument(rejected, now);
      const previousAttributes = changedFields(quoteDocument(quote, now), object);
      await tx.emit(tenant, [{ type: 'b2b.quote.rejected', object, previousAttributes }]);
      return { data: object };
    }),
  };
};
