// Random histories of selling to businesses: units and money add up in the end, after any concurrent actions. STOA_SEED tries
// another history.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Invoice } from '#proto/gen/invoice.ts';
import type { StoreOrder } from '#proto/gen/order.ts';
import type { PurchaseOrder } from '#proto/gen/purchase_order.ts';
import {
  asStore,
  balanced,
  closeShop,
  issue,
  levelOf,
  made,
  newBuyer,
  newVariant,
  openShop,
  signed,
} from '#test/services/b2b/shop.ts';
import { Chance } from '#test/simulation/world.ts';
import { eventually } from '#test/support/server.ts';
import type { Reply } from '#test/support/stoa.ts';

const SEED = Number(process.env.STOA_SEED ?? 20_261_126);
const HISTORIES = 12;
const STEPS = 14;
const STOCK = 500;
const PRICE = 7.35;

beforeAll(() => openShop({ plan: 'enterprise' }));
afterAll(closeShop);

const cents = (amount: number): number => Math.round(amount * 100);
const sum = (amounts: readonly number[]): number => amounts.reduce((all, each) => all + each, 0);

/** One purchase order with two or three concurrent actions; every refusal is a 4xx. */
const live = async (chance: Chance, order: PurchaseOrder): Promise<void> => {
  const store = asStore();
  const [item] = order.items;
  const read = async (): Promise<{ po: PurchaseOrder; invoices: Invoice[] }> => {
    const po: PurchaseOrder = (await made(store('GET', `/v1/b2b/purchase-orders/${order.id}`))).data;
    const invoices: Invoice[] = [];
    for (const id of po.invoice_ids) invoices.push((await made(store('GET', `/v1/b2b/invoices/${id}`))).data);
    return { po, invoices };
  };
  for (let step = 0; step < STEPS; step++) {
    const { po, invoices } = await read();
    const line = po.order_id && (await made(store('GET', `/v1/orders/${po.order_id}`))).order.items[0].id;
    const invoice = invoices.length > 0 ? chance.pick(invoices) : null;
    const ofOrder = (method: string, path: string, body: object): Promise<Reply> | null =>
      po.order_id ? signed(method, `/v1/orders/${po.order_id}${path}`, body) : null;
    const steps: readonly (() => Promise<Reply> | null)[] = [
      () => store('POST', `/v1/b2b/purchase-orders/${po.id}/confirm`),
      () => (chance.happens(0.1) ? store('POST', `/v1/b2b/purchase-orders/${po.id}/cancel`) : null),
      () =>
        store('POST', '/v1/b2b/invoices', {
          purchase_order_id: po.id,
          items: [{ item_id: item!.id, quantity: chance.between(1, 4) }],
        }),
      () => store('POST', '/v1/b2b/invoices', { purchase_order_id: po.id }),
      () => invoice && store('POST', `/v1/b2b/invoices/${invoice.id}/pay`, { amount: invoice.amount_due }),
      () => invoice && store('POST', `/v1/b2b/invoices/${invoice.id}/pay`, { amount: invoice.amount_due }),
      () => invoice && chance.happens(0.4) && store('POST', `/v1/b2b/invoices/${invoice.id}/void`, {}),
      () => ofOrder('POST', '/refunds', { amount: chance.between(1, 900) / 100 }),
      () => line && ofOrder('POST', '/refunds', { items: [{ order_item_id: line, quantity: 1, restock: true }] }),
      () => (chance.happens(0.15) ? ofOrder('PATCH', '', { order_status: 'cancelled' }) : null),
      () => ofOrder('PATCH', '', { payment_status: 'paid' }),
    ].map((make) => () => make() || null);
    const several = Array.from({ length: chance.between(1, 3) }, () => chance.pick(steps)());
    for (const reply of await Promise.all(several))
      if (reply) expect([200, 201, 400, 409, 422], reply.text).toContain(reply.status);
  }
};

test(`pieces and money add up after random histories (STOA_SEED=${SEED})`, async () => {
  const chance = new Chance(SEED);
  const variant = await newVariant({ stock: STOCK });
  const buyer = await newBuyer();
  const orders: PurchaseOrder[] = [];
  for (let at = 0; at < HISTORIES; at++)
    orders.push(await issue(buyer, [{ variant_id: variant, quantity: chance.between(1, 9), unit_price: PRICE }]));
  for (let at = 0; at < HISTORIES; at += 3)
    await Promise.all(orders.slice(at, at + 3).map((order, by) => live(new Chance(SEED + at + by), order)));
  const store = asStore();
  let away = 0;
  for (const { id, items } of orders) {
    const po: PurchaseOrder = (await made(store('GET', `/v1/b2b/purchase-orders/${id}`))).data;
    const invoices: Invoice[] = await Promise.all(
      po.invoice_ids.map(async (of) => (await made(store('GET', `/v1/b2b/invoices/${of}`))).data),
    );
    const live = invoices.filter(({ status }) => status !== 'void');
    const invoiced = sum(live.flatMap((invoice) => invoice.items.map(({ quantity }) => quantity)));
    expect(invoiced, 'no piece is on two invoices').toBeLessThanOrEqual(items[0]!.quantity);
    expect(sum(live.map(({ total }) => cents(total)))).toBeLessThanOrEqual(cents(po.total));
    for (const { status, amount_due, total } of invoices)
      expect(cents(amount_due)).toBe(status === 'paid' || status === 'void' ? 0 : cents(total));
    if (!po.order_id) continue;
    await eventually(async () => {
      const order: StoreOrder = (await made(store('GET', `/v1/orders/${po.order_id}`))).order;
      const { amount_paid: paid, amount_refunded: refunded, total_amount: total } = order;
      expect(cents(refunded)).toBeLessThanOrEqual(cents(paid));
      expect(cents(paid)).toBeLessThanOrEqual(cents(total));
      const paidOnInvoices = sum(invoices.filter(({ status }) => status === 'paid').map((each) => cents(each.total)));
      expect(cents(paid)).toBeGreaterThanOrEqual(paidOnInvoices);
    });
    const order: StoreOrder = (await made(store('GET', `/v1/orders/${po.order_id}`))).order;
    const line = order.items[0]!;
    if (order.order_status !== 'cancelled') away += line.quantity - line.quantity_returned;
  }
  expect(await balanced()).toBe(true);
  await eventually(async () => expect(await levelOf(variant)).toEqual([STOCK - away, STOCK - away]));
});
