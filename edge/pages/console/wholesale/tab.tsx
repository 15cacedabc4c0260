// Tab of the sandbox's wholesale trade: requests for quotes, quotes, purchase orders and invoices.
import { useRef } from 'preact/hooks';
import type { Api } from '#edge/pages/console/api.ts';
import { ItemList, PAGE_SIZE } from '#edge/pages/console/item_list.tsx';
import { useAction, usePolling } from '#edge/pages/console/polling.ts';
import type { Names } from './deal.tsx';
import { type Invoice, InvoiceEntry } from './invoice.tsx';
import { type PurchaseOrder, PurchaseOrderEntry } from './purchase_order.tsx';
import { type Quote, QuoteEntry, type Rfq, RfqEntry } from './quote.tsx';

interface Deals {
  readonly rfqs: readonly Rfq[];
  readonly quotes: readonly Quote[];
  readonly orders: readonly PurchaseOrder[];
  readonly invoices: readonly Invoice[];
}

const POLL_MS = 5_000;

interface Product {
  readonly id: string;
  readonly name: string;
  readonly variant_id: string | null;
  readonly has_variants: boolean;
  readonly variants?: readonly { readonly variant_id: string; readonly variant_name: string | null }[];
}

const namesOf = async (api: Api): Promise<Names> => {
  const names = new Map<string, string>();
  for (const product of (await api.get('/v1/products?limit=100')).body.products as readonly Product[]) {
    if (product.variant_id) names.set(product.variant_id, product.name);
    if (!product.has_variants) continue;
    const { variants = [] } = (await api.get(`/v1/products/${product.id}`)).body as Product;
    for (const { variant_id, variant_name } of variants)
      names.set(variant_id, [product.name, variant_name].filter(Boolean).join(', '));
  }
  return names;
};

/** Loads everything and adds missing variant names to `names`; an unknown variant is shown by its id. */
const loadDeals = async (api: Api, names: Map<string, string>): Promise<Deals> => {
  const list = async (path: string) => (await api.get(`/v1/b2b/${path}limit=${PAGE_SIZE}`)).body.data;
  const [rfqs, quotes, orders, invoices] = await Promise.all([
    list('rfqs?status=submitted&'),
    list('quotes?'),
    list('purchase-orders?'),
    list('invoices?'),
  ]);
  const named: readonly string[] = [...rfqs, ...quotes, ...orders].flatMap(({ items }: Rfq | Quote) =>
    items.map(({ variant_id }) => variant_id),
  );
  if (named.some((id) => !names.has(id))) {
    const found = await namesOf(api);
    for (const id of named) names.set(id, found.get(id) ?? id);
  }
  return { rfqs, quotes, orders, invoices };
};

export const WholesaleTab = ({ api }: { readonly api: Api }) => {
  const { current: names } = useRef(new Map<string, string>());
  const { value, problem, refresh } = usePolling(() => loadDeals(api, names), POLL_MS);
  const work = useAction(refresh);
  return (
    <>
      <p role="status">{problem || work.message}</p>
      <ItemList id="rfqs" title="Requests to quote" none="No request needs a quote.">
        {value?.rfqs.map((item) => (
          <RfqEntry key={item.id} api={api} work={work} names={names} item={item} />
        ))}
      </ItemList>
      <ItemList id="quotes" title="Quotes" none="No quote was sent yet.">
        {value?.quotes.map((item) => (
          <QuoteEntry key={item.id} names={names} item={item} />
        ))}
      </ItemList>
      <ItemList id="purchase_orders" title="Purchase orders" none="No quote was ordered from yet.">
        {value?.orders.map((item) => (
          <PurchaseOrderEntry key={item.id} api={api} work={work} names={names} item={item} />
        ))}
      </ItemList>
      <ItemList id="invoices" title="Invoices" none="No invoice was issued yet.">
        {value?.invoices.map((item) => (
          <InvoiceEntry key={item.id} api={api} work={work} names={names} item={item} />
        ))}
      </ItemList>
    </>
  );
};
