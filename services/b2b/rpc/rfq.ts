// The door of requests for quotes.
import { randomUUIDv7 } from 'bun';
import type { WholesaleRpcs } from '#proto/gen/b2b.ts';
import type { CreateRfqRequest, RfqResponse } from '#proto/gen/rfq.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import type { WholesaleNeighbours } from '#services/b2b/neighbour.ts';
import { page } from '#services/b2b/page.ts';
import { cancelObstacle, type RfqLine, type RfqRecord, readRfqItems, rfqDocument } from '#services/b2b/rfq.ts';
import { nextNumber } from '#services/b2b/table/owner.ts';
import { findRfq, holdRfq, insertRfq, pageOfRfqs, setRfqStatus } from '#services/b2b/table/rfq.ts';
import { currencyOf } from '#values/currency.ts';

interface Wish {
  readonly items: readonly RfqLine[];
  readonly currency: string;
}

export const rfqHandlers = (
  neighbours: WholesaleNeighbours,
): Pick<Handlers<WholesaleRpcs>, 'CreateRfq' | 'ListRfqs' | 'GetRfq' | 'CancelRfq'> => ({
  CreateRfq: staged<CreateRfqRequest, RfqResponse, Wish>({
    prepare: async (call, { items }) => {
      const { currency } = await neighbours.shop(call);
      const lines = readRfqItems(items, currencyOf(currency));
      if (lines instanceof Refusal) return lines;
      const variants = await neighbours.variants(
        call,
        lines.map(({ variant_id }) => variant_id),
      );
      const unknown = items.findIndex(({ variant_id }) => !variants.get(variant_id.toLowerCase())?.is_active);
      return unknown < 0 ? { items: lines, currency } : notFound('variant', `items[${unknown}].variant_id`);
    },
    run: async (tx, { tenant, customer }, { note = null }, wish) => {
      const rfq: RfqRecord = {
        ...wish,
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
    page('rfqs', call, input, (...wanted) => pageOfRfqs(sql, call.tenant, ...wanted), rfqDocument),
  ),

  GetRfq: query(async (sql, { tenant, customer }, { id }) => {
    const rfq = await findRfq(sql, tenant, customer, id);
    return rfq === null ? notFound('request for a quote') : { data: rfqDocument(rfq) };
  }),

  CancelRfq: transaction(async ({ sql }, { tenant, customer }, { id }) => {
    const rfq = await holdRfq(sql, tenant, customer, id);
    if (rfq === null) return notFound('request for a quote');
    const obstacle = cancelObstacle(rfq);
    if (obstacle) return obstacle;
    await setRfqStatus(sql, tenant, rfq.id, 'cancelled');
    return { data: rfqDocument({ ...rfq, status: 'cancelled' }) };
  }),
});
