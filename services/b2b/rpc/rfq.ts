// The rpc handlers of requests for quotes.
import { randomUUIDv7 } from 'bun';
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import type { CreateRfqRequest, RfqResponse } from '#proto/gen/rfq.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { WholesaleClients } from '#services/b2b/client.ts';
import { listPage } from '#services/b2b/page.ts';
import { cancellationRefusal, parseRfqItems, type RfqLine, type RfqRecord, rfqDocument } from '#services/b2b/rfq.ts';
import { nextNumber } from '#services/b2b/table/clause.ts';
import { findRfq, insertRfq, listRfqs, lockRfq, setRfqStatus } from '#services/b2b/table/rfq.ts';
import { currencyOf } from '#values/currency.ts';

interface RfqDraft {
  readonly items: readonly RfqLine[];
  readonly currency: string;
}

export const rfqHandlers = (
  clients: WholesaleClients,
): Pick<Handlers<WholesaleRpcs>, 'CreateRfq' | 'ListRfqs' | 'GetRfq' | 'CancelRfq'> => ({
  CreateRfq: staged<CreateRfqRequest, RfqResponse, RfqDraft>({
    prepare: async (call, { items }) => {
      const { currency } = await clients.profile(call);
      const lines = parseRfqItems(items, currencyOf(currency));
      if (lines instanceof Refusal) return lines;
      const variants = await clients.variants(
        call,
        lines.map(({ variant_id }) => variant_id),
      );
      const unknown = items.findIndex(({ variant_id }) => !variants.get(variant_id.toLowerCase())?.is_active);
      return unknown < 0 ? { items: lines, currency } : notFound('variant', `items[${unknown}].variant_id`);
    },
    run: async (tx, { tenant, customer }, { note = null }, job) => {
      const rfq: RfqRecord = {
        ...job,
        id: randomUUIDv7(),
        number: await nextNumber(tx.sql, tenant, 'rfq'),
        customer_id: customer!,
        status: 'submitted',
        note,
        created_at: tx.clock.now(tenant),
      };
      await insertRfq(tx.sql, tenant, rfq);
      const object = rfqDocument(rfq);
      await tx.emit(tenant, [{ type: 'b2b.rfq.created', object }]);
      return { data: object };
    },
    undo: () => {},
  }),

  ListRfqs: query((sql, call, input) =>
    listPage('rfqs', call, input, (...wanted) => listRfqs(sql, call.tenant, ...wanted), rfqDocument),
  ),

  GetRfq: query(async (sql, { tenant, customer }, { id }) => {
    const rfq = await findRfq(sql, tenant, customer, id);
    return rfq === null ? notFound('request for a quote') : { data: rfqDocument(rfq) };
  }),

  CancelRfq: transaction(async ({ sql }, { tenant, customer }, { id }) => {
    const rfq = await lockRfq(sql, tenant, customer, id);
    if (rfq === null) return notFound('request for a quote');
    const refusal = cancellationRefusal(rfq);
    if (refusal) return refusal;
    await setRfqStatus(sql, tenant, rfq.id, 'cancelled');
    return { data: rfqDocument({ ...rfq, status: 'cancelled' }) };
  }),
});
