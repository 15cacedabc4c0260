// Invoices: download, payment and voiding.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import type { Api } from '#edge/pages/console/api.ts';
import { ActionButton } from '#edge/pages/console/item_list.tsx';
import { momentOf } from '#edge/pages/console/polling.ts';
import { type Deal, type EntryProps, Lines, StatusBadge } from './deal.tsx';

export interface Invoice extends Deal {
  readonly invoice_number: string;
  readonly amount_due: number;
  readonly issued_at: string;
  readonly due_at: string;
  readonly paid_at: string | null;
  readonly reference: string | null;
}

/** Fetches the file by script, because a plain link would not send the key. */
const download = async (api: Api, { id, invoice_number }: Invoice): Promise<string> => {
  const url = URL.createObjectURL(await api.file(`/v1/b2b/invoices/${id}/pdf`));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: `${invoice_number}.pdf` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return `${invoice_number}.pdf is downloaded.`;
};

const Pay = ({ api, work, item }: Omit<EntryProps<Invoice>, 'names'>) => {
  const [reference, setReference] = useState('');
  const pay = async (): Promise<string> => {
    const body = { amount: item.amount_due, ...(reference === '' ? {} : { reference }) };
    await api.post(`/v1/b2b/invoices/${item.id}/pay`, body);
    return `${item.invoice_number} is paid.`;
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(pay);
      }}
    >
      <label>
        How it was paid
        <input
          name="reference"
          placeholder="Bank transfer 4711"
          value={reference}
          onInput={({ currentTarget }) => setReference(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={work.busy}>
        Record {money(item.amount_due, item.currency)} as paid
      </button>
    </form>
  );
};

export const InvoiceEntry = ({ api, work, names, item }: EntryProps<Invoice>) => {
  const isOpen = item.status === 'issued' || item.status === 'overdue';
  return (
    <details class="invoice">
      <summary>
        <b>{item.invoice_number}</b> {money(item.total, item.currency)} <time>{momentOf(item.issued_at)}</time>
        <StatusBadge text={item.status} />
      </summary>
      <Lines names={names} deal={item} />
      <p>
        Due {momentOf(item.due_at)}
        {item.paid_at && `, paid ${momentOf(item.paid_at)}`}
        {item.reference && `: ${item.reference}`}
      </p>
      {isOpen && <Pay api={api} work={work} item={item} />}
      <p class="buttons">
        <button type="button" disabled={work.busy} onClick={() => void work.run(() => download(api, item))}>
          Download the PDF
        </button>
        {isOpen && (
          <ActionButton
            work={work}
            act={() => api.post(`/v1/b2b/invoices/${item.id}/void`, {})}
            message={`${item.invoice_number} is void. Its items can be billed again.`}
          >
            Void it
          </ActionButton>
        )}
      </p>
    </details>
  );
};
