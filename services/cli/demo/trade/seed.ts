// Seeds the wholesale demo shop in both environments, with deals in the sandbox.

import type { Invoice, InvoiceResponse } from '#proto/gen/invoice.ts';
import type { ListedProduct, Product } from '#proto/gen/product.ts';
import type { PurchaseOrder, PurchaseOrderResponse } from '#proto/gen/purchase_order.ts';
import type { Rfq, RfqResponse } from '#proto/gen/rfq.ts';
import type { WholesaleQuote, WholesaleQuoteResponse } from '#proto/gen/wholesale_quote.ts';
import { seedCatalogue, seedStore } from '#services/cli/demo/catalogue.ts';
import { Client } from '#services/cli/demo/client.ts';
import type { DemoAccess } from '#services/cli/demo/seed.ts';
import { signInShopper } from '#services/cli/demo/shopper.ts';
import { DEALS, type DemoBuyer, type DemoDeal, STEPS, type Step } from './deal.ts';
import { TRADE_SHOP } from './shop.ts';

const PAGE = 100;

interface Parties {
  readonly store: Client;
  readonly buyer: Client;
  readonly customer: string;
}

const seedDeals = async (store: Client): Promise<void> => {
  const variants = await variantsOf(store);
  const partiesOf = new Map<DemoBuyer, Parties>();
  for (const deal of DEALS) {
    const parties = partiesOf.get(deal.buyer) ?? (await openParties(store, deal.buyer));
    partiesOf.set(deal.buyer, parties);
    await seedDeal(parties, deal, variants);
  }
};

const openParties = async (store: Client, shopper: DemoBuyer): Promise<Parties> => {
  const { id: customer, api: buyer } = await signInShopper(store, shopper);
  return { store, buyer, customer };
};

const variantsOf = async (store: Client): Promise<ReadonlyMap<string, string>> => {
  const ids = new Map<string, string>();
  for (const { id, has_variants, sku, variant_id } of await store.all<ListedProduct>(
    '/v1/products?',
    'products',
    PAGE,
  )) {
    if (!has_variants) ids.set(sku!, variant_id!);
    else
      for (const variant of (await store.get<Product>(`/v1/products/${id}`)).variants ?? [])
        ids.set(variant.sku!, variant.variant_id);
  }
  return ids;
};

const reaches = ({ reached }: DemoDeal, step: Step): boolean => STEPS.indexOf(reached) >= STEPS.indexOf(step);

const seedDeal = async (parties: Parties, deal: DemoDeal, variants: ReadonlyMap<string, string>): Promise<void> => {
  const rfq = await ask(parties, deal, variants);
  if (!reaches(deal, 'quoted')) return;
  const quote = await answer(parties, deal, rfq, variants);
  if (!reaches(deal, 'ordered')) return;
  const order = await deliver(parties, deal, await place(parties, deal, quote));
  if (reaches(deal, 'billed')) await bill(parties, deal, order);
};

const ask = async (
  { store, buyer, customer }: Parties,
  { message: note, items }: DemoDeal,
  variants: ReadonlyMap<string, string>,
): Promise<Rfq> => {
  const asked = await store.all<Rfq>(`/v1/b2b/rfqs?customer_id=${customer}&`, 'data', PAGE);
  const body = { items: items.map(({ sku, quantity }) => ({ variant_id: variants.get(sku), quantity })), note };
  return asked.find((rfq) => rfq.note === note) ?? (await buyer.post<RfqResponse>('/v1/b2b/rfqs', body)).data;
};

const answer = async (
  { store, buyer, customer }: Parties,
  deal: DemoDeal,
  { id: rfq_id }: Rfq,
  variants: ReadonlyMap<string, string>,
): Promise<WholesaleQuote> => {
  const { items, payment_terms, answer: note, buyer: shopper } = deal;
  const sent = await store.all<WholesaleQuote>(`/v1/b2b/quotes?customer_id=${customer}&`, 'data', PAGE);
  const body = {
    rfq_id,
    items: items.map(({ sku, quantity, unit_price }) => ({ variant_id: variants.get(sku), quantity, unit_price })),
    payment_terms,
    shipping_address: shopper.place,
    note,
  };
  const known = sent.find((quote) => quote.rfq_id === rfq_id);
  const quote = known ?? (await store.post<WholesaleQuoteResponse>('/v1/b2b/quotes', body)).data;
  if (quote.status !== 'sent' || !reaches(deal, 'accepted')) return quote;
  return (await buyer.post<WholesaleQuoteResponse>(`/v1/b2b/quotes/${quote.id}/accept`, {})).data;
};

const place = async (
  { store, buyer, customer }: Parties,
  { po_number, buyer: { place: shipping_address } }: DemoDeal,
  { id: quote_id }: WholesaleQuote,
): Promise<PurchaseOrder> => {
  const issued = await store.all<PurchaseOrder>(`/v1/b2b/purchase-orders?customer_id=${customer}&`, 'data', PAGE);
  const body = { quote_id, po_number, shipping_address };
  const known = issued.find((order) => order.po_number === po_number);
  return known ?? (await buyer.post<PurchaseOrderResponse>('/v1/b2b/purchase-orders', body)).data;
};

const deliver = async ({ store }: Parties, deal: DemoDeal, order: PurchaseOrder): Promise<PurchaseOrder> => {
  const move = async (verb: string, body: object): Promise<PurchaseOrder> =>
    (await store.post<PurchaseOrderResponse>(`/v1/b2b/purchase-orders/${order.id}/${verb}`, body)).data;
  let now = order;
  if (now.status === 'issued' && reaches(deal, 'confirmed')) now = await move('confirm', {});
  if (now.status === 'confirmed' && reaches(deal, 'fulfilled'))
    now = await move('fulfill', { carrier: 'Milima’s own van', tracking_number: deal.po_number });
  return now;
};

const bill = async ({ store }: Parties, deal: DemoDeal, { id: purchase_order_id, invoice_ids }: PurchaseOrder) => {
  const [known] = invoice_ids;
  const { data: invoice } = known
    ? await store.get<InvoiceResponse>(`/v1/b2b/invoices/${known}`)
    : await store.post<InvoiceResponse>('/v1/b2b/invoices', { purchase_order_id });
  if (reaches(deal, 'paid') && invoice.status !== 'paid') await pay(store, invoice);
};

const pay = (store: Client, { id, amount_due: amount, invoice_number }: Invoice): Promise<InvoiceResponse> =>
  store.post<InvoiceResponse>(`/v1/b2b/invoices/${id}/pay`, { amount, reference: `Bank transfer, ${invoice_number}` });

export const seedTrade = async ({ baseUrl, secretKey, secretTestKey }: DemoAccess): Promise<void> => {
  const pictures = `${baseUrl}/demo/pictures`;
  const live = new Client(baseUrl, secretKey);
  const sandbox = new Client(baseUrl, secretTestKey);
  await Promise.all([
    seedStore(live, TRADE_SHOP, pictures),
    seedCatalogue(live, TRADE_SHOP, pictures),
    seedCatalogue(sandbox, TRADE_SHOP, pictures).then(() => seedDeals(sandbox)),
  ]);
};
