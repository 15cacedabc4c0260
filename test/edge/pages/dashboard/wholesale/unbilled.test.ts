// Units of a purchase order that are on no invoice yet.
import { expect, test } from 'vitest';
import { unbilledOf } from '#edge/pages/dashboard/wholesale/unbilled.ts';

const item = (id: string, quantity: number) => ({
  id,
  variant_id: `of-${id}`,
  quantity,
  unit_price: 2,
  total: quantity * 2,
});
const invoice = (status: 'issued' | 'paid' | 'void', item_id: string, quantity: number) => ({
  status,
  items: [{ ...item('line', quantity), item_id }],
});
const order = { items: [item('lamp', 120), item('shade', 10)] };
const left = (invoices: readonly ReturnType<typeof invoice>[]) =>
  unbilledOf(order, invoices).map(({ item: { id }, units }) => [id, units]);

test('counts all units before the first invoice', () => {
  expect(left([])).toEqual([
    ['lamp', 120],
    ['shade', 10],
  ]);
});

test('leaves out billed units, but no units of a void invoice', () => {
  expect(left([invoice('issued', 'lamp', 50), invoice('paid', 'lamp', 30), invoice('void', 'lamp', 40)])).toEqual([
    ['lamp', 40],
    ['shade', 10],
  ]);
  expect(left([invoice('paid', 'shade', 10)])).toEqual([['lamp', 120]]);
});
