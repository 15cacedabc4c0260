// Purchase orders: the store confirms, ships and bills them.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import { ParcelFields, type ParcelInput } from '#edge/pages/console/field.tsx';
import { ActionButton } from '#edge/pages/console/item_list.tsx';
import { momentOf } from '#edge/pages/console/polling.ts';
import { type Deal, type EntryProps, Lines, StatusBadge, words } from './deal.tsx';

export interface PurchaseOrder extends Deal {
  readonly po_number: string;
  readonly payment_terms: string;
  readonly order_id: string | null;
  readonly invoice_ids: readonly string[];
  readonly shipping_address: { readonly company: string | null; readonly line1: string; readonly city: string };
  readonly created_at: string;
}

const Fulfil = ({ api, work, item }: Omit<EntryProps<PurchaseOrder>, 'names'>) => {
  const [parcel, setParcel] = useState<ParcelInput>({ carrier: '', tracking: '' });
  const { carrier, tracking } = parcel;
  const send = async (): Promise<string> => {
    const how = { ...(carrier && { carrier }), ...(tracking && { tracking_number: tracking }) };
    await api.post(`/v1/b2b/purchase-orders/${item.id}/fulfill`, how);
    return `${item.po_number} is on its way.`;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(send);
      }}
    >
      <ParcelFields parcel={parcel} set={setParcel} />
      <button type="submit" disabled={work.busy}>
        Fulfil it
      </button>
    </form>
  );
};

export const PurchaseOrderEntry = ({ api, work, names, item }: EntryProps<PurchaseOrder>) => {
  const path = `/v1/b2b/purchase-orders/${item.id}`;
  const { company, line1, city } = item.shipping_address;
  const isOrdered = item.status === 'confirmed' || item.status === 'fulfilled';
  return (
    <details class="purchase_order">
      <summary>
        <b>{item.po_number}</b> {money(item.total, item.currency)} <time>{momentOf(item.created_at)}</time>
        <StatusBadge text={item.status} />
      </summary>
      <Lines names={names} deal={item} />
      <p>
        To {[company, line1, city].filter(Boolean).join(', ')}. Payment: {words(item.payment_terms)}. Invoices:{' '}
        {item.invoice_ids.length}.
      </p>
      {item.order_id && (
        <p>
          Order <code>{item.order_id}</code>
        </p>
      )}
      {item.status === 'issued' && (
        <p class="buttons">
          <ActionButton
            work={work}
            act={() => api.post(`${path}/confirm`, {})}
            message={`${item.po_number} is an order now.`}
          >
            Confirm it
          </ActionButton>
          <ActionButton
            work={work}
            act={() => api.post(`${path}/cancel`, {})}
            message={`${item.po_number} is cancelled.`}
          >
            Cancel it
          </ActionButton>
        </p>
      )}
      {item.status === 'confirmed' && <Fulfil api={api} work={work} item={item} />}
      {isOrdered && (
        <p class="buttons">
          <ActionButton
            work={work}
            act={() => api.post('/v1/b2b/invoices', { purchase_order_id: item.id })}
            message="The invoice is issued."
          >
            Bill the items without an invoice
          </ActionButton>
        </p>
      )}
    </details>
  );
};
