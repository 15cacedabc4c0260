// Invoices: printed, noted as paid, taken back.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import type { Api } from '#edge/pages/console/api.ts';
import { momentOf } from '#edge/pages/console/live.ts';
import { Step } from '#edge/pages/console/pile.tsx';
import { type Agreed, type EntryProps, Lines, Sign } from './deal.tsx';

export interface Invoice extends Agreed {
  readonly invoice_number: string;
  readonly amount_due: number;
  readonly issued_at: string;
  readonly due_at: string;
  readonly paid_at: string | null;
  readonly reference: string | null;
}

/** A link would not carry the key. */
const download = async (api: Api, { id, invoice_number }: Invoice): Promise<string> => {
  const url = URL.createObjectURL(await api.file(`/v1/b2b/invoices/${id}/pdf`));
  const link = document.createElement('a');
  Object.assign(link, { href: url, download: `${invoice_number}.pdf` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return `${invoice_number}.pdf is downloaded.`;
};

const Pay = ({ api, work, given }: Omit<EntryProps<Invoice>, 'names'>) => {
  const [reference, setReference] = useState('');
  const pay = async (): Promise<string> => {
    const body = { amount: given.amount_due, ...(reference === '' ? {} : { reference }) };
    await api.post(`/v1/b2b/invoices/${given.id}/pay`, body);
    return `${given.invoice_number} is paid.`;
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
        Record {money(given.amount_due, given.currency)} as paid
      </button>
    </form>
  );
};

export const InvoiceEntry = ({ api, work, names, given }: EntryProps<Invoice>) => {
  const isOpen = given.status === 'issued' || given.status === 'overdue';
  return (
    <details class="invoice">
      <summary>
        <b>{given.invoice_number}</b> {money(given.total, given.currency)} <time>{momentOf(given.issued_at)}</time>
        <Sign text={given.status} />
      </summary>
      <Lines names={names} agreed={given} />
      <p>
        Due {momentOf(given.due_at)}
        {given.paid_at && `, paid ${momentOf(given.paid_at)}`}
        {given.reference && `: ${given.reference}`}
      </p>
      {isOpen && <Pay api={api} work={work} given={given} />}
      <p class="buttons">
        <button type="button" disabled={work.busy} onClick={() => void work.run(() => download(api, given))}>
          Download the PDF
        </button>
        {isOpen && (
          <Step
            work={work}
            act={() => api.post(`/v1/b2b/invoices/${given.id}/void`, {})}
            told={`${given.invoice_number} is void: what was on it may go on another one.`}
          >
            Void it
          </Step>
        )}
      </p>
    </details>
  );
};
