// Causes the ten events of wholesale, "b2b.rfq.created; b2b.quote.sent, .accepted, .rejected; b2b.po.issued, .confirmed,
// .fulfilled; b2b.invoice.issued, .paid, .overdue", "for stores with wholesale enabled". A buyer and a store proceed with
// their deal up to each event.
import { randomUUID } from 'node:crypto';
import type { SandboxAnswer } from '#services/cli/trigger/sandbox.ts';
import { customer, product, travel } from '#services/cli/trigger/sandbox.ts';
import type { EventCause, Scene } from './event_scene.ts';

const DAY_MS = 86_400_000;
const ADDRESS = { company: 'Kibo Traders', line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };

interface Asked {
  readonly rfq: SandboxAnswer;
  readonly buyer: string;
  readonly headers: Record<string, string>;
}

/** A buyer asks for five pieces. */
const ask = async ({ sandbox }: Scene): Promise<Asked> => {
  const { variant_id } = await product(sandbox);
  const { customer: buyer, session } = await customer(sandbox);
  const headers = { 'x-auth-token': session.access_token };
  const { data: rfq } = await sandbox.post('/v1/b2b/rfqs', { items: [{ variant_id, quantity: 5 }] }, headers);
  return { rfq, buyer: buyer.id, headers };
};

/** The store answers with its own price. */
const quote = async ({ sandbox }: Scene, { rfq, buyer }: Asked): Promise<SandboxAnswer> => {
  const items = [{ variant_id: rfq.items[0].variant_id, quantity: 5, unit_price: 15 }];
  const body = { customer_id: buyer, rfq_id: rfq.id, items, payment_terms: 'net_7' };
  return (await sandbox.post('/v1/b2b/quotes', body)).data;
};

const answer = async (scene: Scene, verb: 'accept' | 'reject'): Promise<SandboxAnswer & Pick<Asked, 'headers'>> => {
  const asked = await ask(scene);
  const { id } = await quote(scene, asked);
  await scene.sandbox.post(`/v1/b2b/quotes/${id}/${verb}`, {}, asked.headers);
  return { id, headers: asked.headers };
};

const issue = async (scene: Scene): Promise<SandboxAnswer> => {
  const { id: quote_id, headers } = await answer(scene, 'accept');
  const body = { quote_id, po_number: `E-${randomUUID().slice(0, 8)}`, shipping_address: ADDRESS };
  return (await scene.sandbox.post('/v1/b2b/purchase-orders', body, headers)).data;
};

const confirm = async (scene: Scene): Promise<SandboxAnswer> => {
  const { id } = await issue(scene);
  return (await scene.sandbox.post(`/v1/b2b/purchase-orders/${id}/confirm`)).data;
};

const invoice = async (scene: Scene): Promise<SandboxAnswer> => {
  const { id } = await confirm(scene);
  return (await scene.sandbox.post('/v1/b2b/invoices', { purchase_order_id: id })).data;
};

export const WHOLESALE_ROWS: readonly EventCause[] = [
  ['b2b.rfq.created', 'a buyer asks', async (scene) => ({ object: { id: (await ask(scene)).rfq.id } })],
  [
    'b2b.quote.sent',
    'the store answers',
    async (scene) => ({ object: { id: (await quote(scene, await ask(scene))).id, status: 'sent' } }),
  ],
  [
    'b2b.quote.accepted',
    'the buyer accepts',
    async (scene) => ({
      object: { id: (await answer(scene, 'accept')).id, status: 'accepted' },
      was: { status: 'sent' },
    }),
  ],
  [
    'b2b.quote.rejected',
    'the buyer rejects',
    async (scene) => ({
      object: { id: (await answer(scene, 'reject')).id, status: 'rejected' },
      was: { status: 'sent' },
    }),
  ],
  [
    'b2b.quote.rejected',
    'the buyer accepts another one of the same request',
    async (scene) => {
      const asked = await ask(scene);
      const [{ id }, other] = [await quote(scene, asked), await quote(scene, asked)];
      await scene.sandbox.post(`/v1/b2b/quotes/${other.id}/accept`, {}, asked.headers);
      return { object: { id, status: 'rejected' }, was: { status: 'sent' } };
    },
  ],
  [
    'b2b.po.issued',
    'the buyer orders',
    async (scene) => ({ object: { id: (await issue(scene)).id, status: 'issued' } }),
  ],
  [
    'b2b.po.confirmed',
    'the store confirms',
    async (scene) => {
      const { id, order_id } = await confirm(scene);
      return { object: { id, status: 'confirmed', order_id }, was: { status: 'issued', order_id: null } };
    },
  ],
  [
    'b2b.po.fulfilled',
    'the store sends it',
    async (scene) => {
      const { id } = await confirm(scene);
      const parcel = { carrier: 'DHL', tracking_number: 'E1' };
      await scene.sandbox.post(`/v1/b2b/purchase-orders/${id}/fulfill`, parcel);
      return { object: { id, status: 'fulfilled' }, was: { status: 'confirmed' } };
    },
  ],
  [
    'b2b.invoice.issued',
    'the store bills',
    async (scene) => ({ object: { id: (await invoice(scene)).id, status: 'issued' } }),
  ],
  [
    'b2b.invoice.paid',
    'the buyer pays',
    async (scene) => {
      const { id, amount_due: amount } = await invoice(scene);
      await scene.sandbox.post(`/v1/b2b/invoices/${id}/pay`, { amount, reference: 'transfer 1' });
      return { object: { id, status: 'paid', amount_due: 0 }, was: { status: 'issued', amount_due: amount } };
    },
  ],
  [
    'b2b.invoice.overdue',
    'its due date passes',
    async (scene) => {
      const { id, due_at, issued_at } = await invoice(scene);
      await travel(scene.sandbox, Date.parse(due_at) - Date.parse(issued_at) + DAY_MS);
      return { object: { id, status: 'overdue' }, was: { status: 'issued' } };
    },
  ],
];
