// Requests for quotes, which the store answers with prices, and the quotes that were sent.
import { useState } from 'preact/hooks';
import { money } from '#edge/pages/amount.ts';
import { momentOf } from '#edge/pages/console/polling.ts';
import { type Deal, type EntryProps, Lines, StatusBadge, words } from './deal.tsx';

export interface Rfq {
  readonly id: string;
  readonly rfq_number: string;
  readonly status: string;
  readonly items: readonly {
    readonly variant_id: string;
    readonly quantity: number;
    readonly target_unit_price: number | null;
  }[];
  readonly note: string | null;
  readonly created_at: string;
}

export interface Quote extends Deal {
  readonly quote_number: string;
  readonly payment_terms: string;
  readonly valid_until: string;
  readonly note: string | null;
  readonly reason: string | null;
  readonly created_at: string;
}

const TERMS = ['due_on_receipt', 'net_7', 'net_15', 'net_30', 'net_60', 'net_90'];

export const RfqEntry = ({ api, work, names, item }: EntryProps<Rfq>) => {
  const [prices, setPrices] = useState<readonly string[]>(
    item.items.map(({ target_unit_price: target }) => (target === null ? '' : String(target))),
  );
  const [terms, setTerms] = useState('net_30');
  const [note, setNote] = useState('');
  const send = async (): Promise<string> => {
    const items = item.items.map(({ variant_id, quantity }, at) => ({
      variant_id,
      quantity,
      unit_price: Number(prices[at]),
    }));
    const body = { rfq_id: item.id, items, payment_terms: terms, ...(note === '' ? {} : { note }) };
    const { data } = (await api.post('/v1/b2b/quotes', body)).body;
    return `${data.quote_number} is sent: ${money(data.total, data.currency)} with tax.`;
  };
  const isPriced = prices.every((price) => price !== '' && Number(price) >= 0);
  return (
    <details class="rfq">
      <summary>
        <b>{item.rfq_number}</b> <time>{momentOf(item.created_at)}</time>
        <StatusBadge text={item.status} />
      </summary>
      {item.note && <p>{item.note}</p>}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(send);
        }}
      >
        {item.items.map(({ variant_id, quantity }, at) => (
          <label key={variant_id}>
            {quantity} × {names.get(variant_id)}, each
            <input
              class="price"
              inputMode="decimal"
              value={prices[at]}
              onInput={({ currentTarget }) => setPrices(prices.with(at, currentTarget.value.trim()))}
            />
          </label>
        ))}
        <label>
          Payment terms
          <select value={terms} onChange={({ currentTarget }) => setTerms(currentTarget.value)}>
            {TERMS.map((each) => (
              <option key={each} value={each}>
                {words(each)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Note
          <input name="note" value={note} onInput={({ currentTarget }) => setNote(currentTarget.value)} />
        </label>
        <button type="submit" disabled={work.busy || !isPriced}>
          Send the quote
        </button>
      </form>
    </details>
  );
};

export const QuoteEntry = ({ names, item }: Pick<EntryProps<Quote>, 'names' | 'item'>) => (
  <details class="quote">
    <summary>
      <b>{item.quote_number}</b> {money(item.total, item.currency)} <time>{momentOf(item.created_at)}</time>
      <StatusBadge text={item.status} />
    </summary>
    {item.note && <p>{item.note}</p>}
    <Lines names={names} deal={item} />
    <p>
      Payment: {words(item.payment_terms)}. Valid until {momentOf(item.valid_until)}.
    </p>
    {item.reason && <p>The buyer writes: {item.reason}</p>}
  </details>
);
