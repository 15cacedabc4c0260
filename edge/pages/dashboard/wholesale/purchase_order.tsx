// A purchase order: the store confirms it or cancels it, ships it, and bills it.
import { useState } from 'preact/hooks';
import { PostalAddress } from '#edge/pages/dashboard/order/address.tsx';
import {
  at,
  ProblemNote,
  type ScreenProps,
  useCan,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import type { DashboardApi, Invoice, PurchaseOrder, WholesaleQuote } from '#proto/client/dashboard.ts';
import { BillDialog } from './bill.tsx';
import { Buyer, DealBadge, DealLines } from './deal.tsx';
import { FulfilDialog } from './fulfil.tsx';
import { readNames, type VariantNames } from './name.ts';
import { termLabel } from './term.ts';
import { type UnbilledItem, unbilledOf } from './unbilled.ts';

interface LoadedOrder {
  readonly order: PurchaseOrder;
  readonly quote: WholesaleQuote;
  readonly invoices: readonly Invoice[];
  readonly names: VariantNames;
}

const readOrder = async (api: DashboardApi, id: string): Promise<LoadedOrder> => {
  const { data: order } = await api.b2b.purchaseOrders.get({ id });
  const { data: quote } = await api.b2b.quotes.get({ id: order.quote_id });
  const invoices: Invoice[] = [];
  for (const invoice of order.invoice_ids) invoices.push((await api.b2b.invoices.get({ id: invoice })).data);
  return {
    order,
    quote,
    invoices,
    names: await readNames(
      api,
      order.items.map(({ variant_id }) => variant_id),
    ),
  };
};

type Shown = 'confirm' | 'cancel' | 'fulfil' | 'bill' | null;

interface StepProps {
  readonly order: PurchaseOrder;
  readonly unbilled: readonly UnbilledItem[];
  readonly names: VariantNames;
  readonly shown: Shown;
  readonly close: () => void;
  readonly refresh: () => void;
}

const StepDialog = ({ order, unbilled, names, shown, close, refresh }: StepProps) => {
  const write = useWrite();
  const { money } = useFormats();
  const { id, po_number, currency, total } = order;
  const run = async (work: (api: DashboardApi) => Promise<unknown>, done: string): Promise<void> => {
    if (!(await write.run(work, { done }))) return;
    close();
    refresh();
  };
  const shared = { busy: write.busy, close };
  switch (shown) {
    case 'confirm':
      return (
        <Confirm
          {...shared}
          title={`Confirm ${po_number}?`}
          action="Confirm the order"
          danger={false}
          confirm={() => void run((api) => api.b2b.purchaseOrders.confirm({ id }), `${po_number} is confirmed.`)}
        >
          <p>It becomes an order of {money(total, currency)}, and its units are taken from stock.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      );
    case 'cancel':
      return (
        <Confirm
          {...shared}
          title={`Cancel ${po_number}?`}
          action="Cancel the order"
          confirm={() => void run((api) => api.b2b.purchaseOrders.cancel({ id }), `${po_number} is cancelled.`)}
        >
          <p>The buyer sees it. A cancelled purchase order cannot be opened again.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      );
    case 'bill':
      return <BillDialog order={order} unbilled={unbilled} names={names} close={close} />;
    case 'fulfil':
      return <FulfilDialog order={order} close={close} sent={refresh} />;
    case null:
      return null;
  }
};

interface StepButtonProps {
  readonly order: PurchaseOrder;
  readonly unbilled: readonly UnbilledItem[];
  readonly show: (what: Shown) => void;
}

const Steps = ({ order, unbilled, show }: StepButtonProps) => {
  const can = useCan();
  if (!can('b2b:write')) return null;
  const { status } = order;
  const isOrdered = status === 'confirmed' || status === 'fulfilled';
  return (
    <>
      {status === 'issued' && (
        <>
          <Button tone="primary" press={() => show('confirm')}>
            Confirm
          </Button>
          <Button tone="danger" press={() => show('cancel')}>
            Cancel
          </Button>
        </>
      )}
      {status === 'confirmed' && (
        <Button tone="primary" press={() => show('fulfil')}>
          Fulfil
        </Button>
      )}
      {isOrdered && unbilled.length > 0 && <Button press={() => show('bill')}>Issue an invoice</Button>}
    </>
  );
};

const Invoices = ({ invoices }: Pick<LoadedOrder, 'invoices'>) => {
  const { money } = useFormats();
  if (invoices.length === 0) return null;
  return (
    <Sheet title="Invoices">
      {invoices.map(({ id, invoice_number, total, currency, status }) => (
        <div key={id} class="row between">
          <a href={at(`wholesale/invoices/${id}`)}>{invoice_number}</a>
          <span class="row">
            {money(total, currency)} <DealBadge status={status} />
          </span>
        </div>
      ))}
    </Sheet>
  );
};

const OrderParts = ({ refresh, ...loaded }: LoadedOrder & { readonly refresh: () => void }) => {
  const { order, quote, invoices, names } = loaded;
  const unbilled = unbilledOf(order, invoices);
  const [shown, show] = useState<Shown>(null);
  const { moment } = useFormats();
  return (
    <>
      <PageHead
        title={`Purchase order ${order.po_number}`}
        up={{ label: 'Purchase orders', to: at('wholesale', { kind: 'orders' }) }}
        badge={<DealBadge status={order.status} />}
      >
        <Steps order={order} unbilled={unbilled} show={show} />
      </PageHead>
      <div class="columns">
        <Sheet>
          <Facts
            facts={[
              ['Buyer', <Buyer key="buyer" id={order.customer_id} />],
              ['Issued', moment(order.created_at)],
              ['Payment terms', termLabel(order.payment_terms)],
              [
                'Quote',
                <a key="quote" href={at(`wholesale/quotes/${order.quote_id}`)}>
                  {quote.quote_number}
                </a>,
              ],
              ...(order.order_id
                ? [
                    [
                      'Order',
                      <a key="order" href={at(`orders/${order.order_id}`)}>
                        Open the order
                      </a>,
                    ] as const,
                  ]
                : []),
            ]}
          />
        </Sheet>
        <Sheet title="Delivery address">
          <PostalAddress address={order.shipping_address} />
        </Sheet>
      </div>
      <Invoices invoices={invoices} />
      <DealLines names={names} deal={order} />
      <StepDialog
        order={order}
        unbilled={unbilled}
        names={names}
        shown={shown}
        close={() => show(null)}
        refresh={refresh}
      />
    </>
  );
};

export const PurchaseOrderScreen = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord((api) => readOrder(api, id), [id]);
  return <WhenLoaded loaded={loaded}>{(value) => <OrderParts {...value} refresh={loaded.refresh} />}</WhenLoaded>;
};
