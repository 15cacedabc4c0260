// The rpc handlers of quotes.
import { randomUUIDv7 } from 'bun';
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import type { CreateWholesaleQuoteRequest, WholesaleQuoteResponse } from '#proto/gen/wholesale_quote.ts';
import { type Call, notFound, Refusal, refuse, renamed } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { changedFields } from '#runtime/event/event.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import type { WholesaleClients } from '#services/b2b/client.ts';
import { priceQuote, type QuoteOffer } from '#services/b2b/offer.ts';
import { listPage } from '#services/b2b/page.ts';
import { decisionRefusal, type QuoteRecord, quoteDocument } from '#services/b2b/quote.ts';
import { quotingRefusal } from '#services/b2b/rfq.ts';
import { nextNumber } from '#services/b2b/table/clause.ts';
import {
  findQuote,
  insertQuote,
  listQuotes,
  lockQuote,
  rejectOtherQuotes,
  saveDecision,
} from '#services/b2b/table/quote.ts';
import { findRfq, lockRfq, setRfqStatus } from '#services/b2b/table/rfq.ts';
import { badAddress } from '#services/commerce/address.ts';
import { pastTime } from '#services/commerce/shared_refusal.ts';

const DEFAULT_VALID_MS = 30 * 86_400_000;
const DEFAULT_TERMS = 'net_30';

const BUYER_NEEDED = refuse('invalid_request', 'Send `rfq_id` or `customer_id`.', { param: 'rfq_id' });
const ANOTHER_BUYER = refuse('invalid_request', '`customer_id` differs from the customer of the request for a quote.', {
  param: 'customer_id',
});

type QuoteRpc = 'CreateQuote' | 'ListQuotes' | 'GetQuote' | 'AcceptQuote' | 'RejectQuote';

interface PreparedQuote extends QuoteOffer {
  readonly buyer: string;
}

const buyerOf = async (
  sql: Sql,
  clients: Pick<WholesaleClients, 'customer'>,
  call: Call,
  { rfq_id, customer_id }: Pick<CreateWholesaleQuoteRequest, 'rfq_id' | 'customer_id'>,
): Promise<string | Refusal> => {
  if (!rfq_id && !customer_id) return BUYER_NEEDED;
  if (!rfq_id) {
    const customer = await clients.customer(call, customer_id!);
    return customer instanceof Refusal ? customer : customer.id;
  }
  const rfq = await findRfq(sql, call.tenant, null, rfq_id);
  if (rfq === null) return notFound('request for a quote', 'rfq_id');
  if (customer_id && customer_id.toLowerCase() !== rfq.customer_id) return ANOTHER_BUYER;
  const buyer = await clients.customer(call, rfq.customer_id);
  return buyer instanceof Refusal ? renamed(buyer, () => 'rfq_id') : buyer.id;
};

export const quoteHandlers = (
  { clock, postgres }: Pick<Runtime, 'clock' | 'postgres'>,
  clients: WholesaleClients,
): Pick<Handlers<WholesaleRpcs>, QuoteRpc> => {
  const markRfqQuoted = async (tx: Transaction, { tenant }: Call, id: string | null): Promise<Refusal | null> => {
    if (id === null) return null;
    const rfq = await lockRfq(tx.sql, tenant, null, id);
    if (rfq === null) return notFound('request for a quote', 'rfq_id');
    const refusal = quotingRefusal(rfq);
    if (refusal === null && rfq.status !== 'quoted') await setRfqStatus(tx.sql, tenant, rfq.id, 'quoted');
    return refusal;
  };

  return {
    CreateQuote: staged<CreateWholesaleQuoteRequest, WholesaleQuoteResponse, PreparedQuote>({
      prepare: async (call, input) => {
        const addressRefusal = badAddress(input.shipping_address, 'shipping_address');
        if (addressRefusal) return addressRefusal;
        if (input.valid_until && new Date(input.valid_until) <= clock.now(call.tenant))
          return pastTime('valid_until', input.valid_until);
        const buyer = await buyerOf(postgres.sql, clients, call, input);
        if (buyer instanceof Refusal) return buyer;
        const offer = await priceQuote(clients, call, input);
        return offer instanceof Refusal ? offer : { ...offer, buyer };
      },
      run: async (tx, call, input, { buyer, ...offer }) => {
        const { tenant } = call;
        const rfq_id = input.rfq_id?.toLowerCase() ?? null;
        const refused = await markRfqQuoted(tx, call, rfq_id);
        if (refused) return refused;
        const now = tx.clock.now(tenant);
        const quote: QuoteRecord = {
          ...offer,
          id: randomUUIDv7(),
          number: await nextNumber(tx.sql, tenant, 'quote'),
          rfq_id,
          customer_id: buyer,
          status: 'sent',
          payment_terms: input.payment_terms ?? DEFAULT_TERMS,
          shipping_address: input.shipping_address ?? null,
          note: input.note ?? null,
          reason: null,
          valid_until: input.valid_until ? new Date(input.valid_until) : new Date(now.getTime() + DEFAULT_VALID_MS),
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
      return listPage(
        'quotes',
        call,
        input,
        (...wanted) => listQuotes(sql, call.tenant, ...wanted, now),
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
      // Locks the request first, so that of two quotes accepted at once only one succeeds.
      if (found.rfq_id !== null) await lockRfq(sql, tenant, null, found.rfq_id);
      const quote = await lockQuote(sql, tenant, customer, id);
      if (quote === null) return notFound('quote');
      const now = tx.clock.now(tenant);
      const refusal = decisionRefusal(quote, now);
      if (refusal) return refusal;
      const accepted: QuoteRecord = { ...quote, status: 'accepted', reason };
      await saveDecision(sql, tenant, accepted);
      const rejected = await rejectOtherQuotes(sql, tenant, quote, now);
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
      const quote = await lockQuote(tx.sql, tenant, customer, id);
      if (quote === null) return notFound('quote');
      const now = tx.clock.now(tenant);
      const refusal = decisionRefusal(quote, now);
      if (refusal) return refusal;
      const rejected: QuoteRecord = { ...quote, status: 'rejected', reason };
      await saveDecision(tx.sql, tenant, rejected);
      const object = quoteDocument(rejected, now);
      const previousAttributes = changedFields(quoteDocument(quote, now), object);
      await tx.emit(tenant, [{ type: 'b2b.quote.rejected', object, previousAttributes }]);
      return { data: object };
    }),
  };
};
