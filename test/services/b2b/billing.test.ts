// Tests what invoices bill: never more than the purchase order, and together exactly it, after any voids.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '#runtime/call/call.ts';
import { type AgreedLine, taxOf } from '#services/b2b/agreement.ts';
import { addLines, type Invoiced, type InvoiceLine, invoiceLines, removeLines } from '#services/b2b/billing.ts';

const item = (at: number, quantity: number, unit_price: number, taxes: readonly number[]): AgreedLine => ({
  id: `item-${at}`,
  variant_id: `variant-${at}`,
  name: 'Shoe',
  variant_name: null,
  sku: null,
  quantity,
  unit_price,
  total: quantity * unit_price,
  taxes: taxes.map((amount, rate) => ({ name: 'VAT', rate: rate / 100, amount })),
});

const lines = (billed: readonly InvoiceLine[] | Refusal): readonly InvoiceLine[] => {
  if (billed instanceof Refusal) throw new Error(billed.message);
  return billed;
};

describe('an invoice', () => {
  test('bills everything by default, and then the rest', () => {
    const items = [item(0, 3, 100, [16, 1]), item(1, 5, 7, [])];
    const first = lines(invoiceLines(items, {}, [{ item_id: 'ITEM-0', quantity: 1 }]));
    expect(
      first.map(({ item_id, quantity, total, taxes }) => [item_id, quantity, total, taxes.map(({ amount }) => amount)]),
    ).toEqual([['item-0', 1, 100, [5, 0]]]);
    const rest = lines(invoiceLines(items, addLines({}, first), null));
    expect(
      rest.map(({ item_id, quantity, total, taxes }) => [item_id, quantity, total, taxes.map(({ amount }) => amount)]),
    ).toEqual([
      ['item-0', 2, 200, [11, 1]],
      ['item-1', 5, 35, []],
    ]);
    const all = addLines(addLines({}, first), rest);
    expect(invoiceLines(items, all, null)).toMatchObject({ code: 'conflict' });
    expect(invoiceLines(items, removeLines(all, first), null)).toMatchObject([{ item_id: 'item-0', quantity: 1 }]);
  });

  test.each([
    ['more than is left', [{ item_id: 'item-0', quantity: 3 }], 'conflict', 'items[0].quantity'],
    [
      'what there is none of',
      [
        { item_id: 'item-0', quantity: 1 },
        { item_id: 'item-9', quantity: 1 },
      ],
      'not_found',
      'items[1].item_id',
    ],
    [
      'an item twice',
      [
        { item_id: 'item-0', quantity: 1 },
        { item_id: 'item-0', quantity: 1 },
      ],
      'invalid_request',
      'items[1].item_id',
    ],
  ])('is not of %s', (_what, wanted, code, param) => {
    const items = [item(0, 3, 100, [16])];
    const billed = addLines({}, lines(invoiceLines(items, {}, [{ item_id: 'item-0', quantity: 1 }])));
    expect(invoiceLines(items, billed, wanted)).toMatchObject({ code, extra: { param } });
  });

  test('sums to the purchase order after any history of issuing and voiding', () => {
    const shop = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 1_000_000 }),
        price: fc.integer({ min: 0, max: 9_999 }),
        taxes: fc.array(fc.integer({ min: 0, max: 9_999_999_999 }), { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 4 },
    );
    const steps = fc.array(fc.record({ take: fc.double({ min: 0, max: 1, noNaN: true }), back: fc.boolean() }), {
      maxLength: 20,
    });
    fc.assert(
      fc.property(shop, steps, (variants, history) => {
        const items = variants.map(({ quantity, price, taxes }, at) => item(at, quantity, price, taxes));
        let invoiced: Invoiced = {};
        const open: (readonly InvoiceLine[])[] = [];
        for (const { take, back } of history) {
          if (back && open.length > 0) {
            const [gone] = open.splice(Math.floor(take * (open.length - 0.001)), 1);
            invoiced = removeLines(invoiced, gone!);
            continue;
          }
          const wanted = items
            .map(({ id, quantity }) => ({
              item_id: id,
              quantity: Math.floor((quantity - (invoiced[id]?.quantity ?? 0)) * take),
            }))
            .filter(({ quantity }) => quantity > 0);
          if (wanted.length === 0) continue;
          const billed = lines(invoiceLines(items, invoiced, wanted));
          for (const line of billed)
            expect(Math.min(line.total, ...line.taxes.map(({ amount }) => amount))).toBeGreaterThanOrEqual(0);
          invoiced = addLines(invoiced, billed);
          open.push(billed);
        }
        const last = invoiceLines(items, invoiced, null);
        const all = [...open.flat(), ...(last instanceof Refusal ? [] : last)];
        for (const whole of items) {
          const parts = all.filter(({ item_id }) => item_id === whole.id);
          const sum = (of: (line: AgreedLine) => number) => parts.reduce((total, line) => total + of(line), 0);
          expect([sum(({ quantity }) => quantity), sum(({ total }) => total), sum(taxOf)]).toEqual([
            whole.quantity,
            whole.total,
            taxOf(whole),
          ]);
        }
      }),
    );
  });
});
