// Causes each wholesale event: a buyer and the store perform the steps that lead to the event.
import { randomUUID } from 'node:crypto';
import type { Sandbox, SandboxAnswer } from './sandbox.ts';
import { type Action, customer, product, travel } from './sandbox.ts';

const DAY_MS = 86_400_000;
const ADDRESS = { company: 'Trigger Traders', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

interface Deal {
  readonly buyer: string;
  readonly variant_id: string;
  readonly headers: Record<string, string>;
}

const deal = async (sandbox: Sandbox): Promise<Deal> => {
  const { variant_id } = await product(sandbox);
  const { customer: buyer, session } = await customer(sandbox);
  return { buyer: buyer.id, variant_id, headers: { 'x-auth-token': session.access_token } };
};

const quote = async (sandbox: Sandbox, { buyer, variant_id }: Deal): Promise<SandboxAnswer> => {
  const items = [{ variant_id, quantity: 5, unit_price: 15 }];
  const body = { customer_id: buyer, items, payment_terms: 'net_7' };
  return (await sandbox.post('/v1/b2b/quotes', body)).data;
};

const answer = async (sandbox: Sandbox, verb: 'accept' | 'reject'): Promise<SandboxAnswer> => {
  const made = await deal(sandbox);
  const { id } = await quote(sandbox, made);
  const { data } = await sandbox.post(`/v1/b2b/quotes/${id}/${verb}`, {}, made.headers);
  return { ...data, headers: made.headers };
};

const issue = async (sandbox: Sandbox): Promise<SandboxAnswer> => {
  const { id: quote_id, headers } = await answer(sandbox, 'accept');
  const body = { quote_id, po_number: `T-${randomUUID().slice(0, 8)}`, shipping_address: ADDRESS };
  return (await sandbox.post('/v1/b2b/purchase-orders', body, headers)).data;
};

const confirm = async (sandbox: Sandbox): Promise<SandboxAnswer> => {
  const { id } = await issue(sandbox);
  return (await sandbox.post(`/v1/b2b/purchase-orders/${id}/confirm`)).data;
};

const invoice = async (sandbox: Sandbox): Promise<SandboxAnswer> => {
  const { id } = await confirm(sandbox);
  return (await sandbox.post('/v1/b2b/invoices', { purchase_order_id: id })).data;
};

export const WHOLESALE_ACTIONS: Readonly<Record<string, Action>> = {
  'b2b.rfq.created': async (sandbox) => {
    const { variant_id, headers } = await deal(sandbox);
    return sandbox.post('/v1/b2b/rfqs', { items: [{ variant_id, quantity: 5 }] }, headers);
  },
  'b2b.quote.sent': async (sandbox) => quote(sandbox, await deal(sandbox)),
  'b2b.quote.accepted': (sandbox) => answer(sandbox, 'accept'),
  'b2b.quote.rejected': (sandbox) => answer(sandbox, 'reject'),
  'b2b.po.issued': issue,
  'b2b.po.confirmed': confirm,
  'b2b.po.fulfilled': async (sandbox) => {
    const { id } = await confirm(sandbox);
    return sandbox.post(`/v1/b2b/purchase-orders/${id}/fulfill`, { carrier: 'Trigger', tracking_number: 'T1' });
  },
  'b2b.invoice.issued': invoice,
  'b2b.invoice.paid': async (sandbox) => {
    const { id, amount_due: amount } = await invoice(sandbox);
    return sandbox.post(`/v1/b2b/invoices/${id}/pay`, { amount, reference: 'trigger' });
  },
  'b2b.invoice.overdue': async (sandbox) => {
    const { due_at, issued_at } = await invoice(sandbox);
    return travel(sandbox, Date.parse(due_at) - Date.parse(issued_at) + DAY_MS);
  },
};
