// Purchase orders: the store confirms, sends and bills what a buyer has ordered of a quote.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import { ParcelFields, type ParcelSaid } from '#edge/pages/console/field.tsx';
import { momentOf } from '#edge/pages/console/live.ts';
import { Step } from '#edge/pages/console/pile.tsx';
import { type Agreed, type EntryProps, Lines, Sign, words } from './deal.tsx';

export interface PurchaseOrder extends Agreed {
  readonly po_number: string;
  readonly payment_terms: string;
  readonly order_id: string | null;
  readonly invoice_ids: readonly string[];
  readonly shipping_address: { readonly company: string | null; readonly line1: string; readonly city: string };
  readonly created_at: string;
}

const Fulfil = ({ api, work, given }: Omit<EntryProps<PurchaseOrder>, 'names'>) => {
  const [said, setSaid] = useState<ParcelSaid>({ carrier: '', tracking: '' });
  const { carrier, tracking } = said;
  const send = async (): Promise<string> => {
    const how = { ...(carrier && { carrier }), ...(tracking && { tracking_number: tracking }) };
    await api.post(`/v1/b2b/purchase-orders/${given.id}/fulfill`, how);
    return `${given.po_number} is on its way.`;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(send);
      }}
    >
      <ParcelFields said={said} set={setSaid} />
      <button type="submit" disabled={work.busy}>
        Fulfil it
      </button>
    </form>
  );
};

export const PurchaseOrderEntry = ({ api, work, names, given }: EntryProps<PurchaseOrder>) => {
  const path = `/v1/b2b/purchase-orders/${given.id}`;
  const { company, line1, city } = given.shipping_address;
  const isOrdered = given.status === 'confirmed' || given.status === 'fulfilled';
  return (
    <details class="purchase_order">
      <summary>
        <b>{given.po_number}</b> {money(given.total, given.currency)} <time>{momentOf(given.created_at)}</time>
        <Sign text={given.status} />
      </summary>
      <Lines names={names} agreed={given} />
      <p>
        To {[company, line1, city].filter(Boolean).join(', ')}. Payment: {words(given.payment_terms)}. Invoices:{' '}
        {given.invoice_ids.length}.
      </p>
      {given.order_id && (
        <p>
          Order <code>{given.order_id}</code>
        </p>
      )}
      {given.status === 'issued' && (
        <p class="buttons">
          <Step work={work} act={() => api.post(`${path}/confirm`, {})} told={`${given.po_number} is an order now.`}>
            Confirm it
          </Step>
          <Step work={work} act={() => api.post(`${path}/cancel`, {})} told={`${given.po_number} is cancelled.`}>
            Cancel it
          </Step>
        </p>
      )}
      {given.status === 'confirmed' && <Fulfil api={api} work={work} given={given} />}
      {isOrdered && (
        <p class="buttons">
          <Step
            work={work}
            act={() => api.post('/v1/b2b/invoices', { purchase_order_id: given.id })}
            told="The invoice is issued."
          >
            Bill what is on no invoice
          </Step>
        </p>
      )}
    </details>
  );
};
