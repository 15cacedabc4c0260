// The table and status of a quote, purchase order or invoice.
import { amountText } from '#edge/pages/amount.ts';
import type { Api } from '#edge/pages/console/api.ts';
import type { ConsoleAction } from '#edge/pages/console/polling.ts';

export interface DealItem {
  readonly id: string;
  readonly variant_id: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly total: number;
}

export interface Deal {
  readonly id: string;
  readonly customer_id: string;
  readonly status: string;
  readonly currency: string;
  readonly items: readonly DealItem[];
  readonly subtotal: number;
  readonly tax_amount: number;
  readonly total: number;
}

export type Names = ReadonlyMap<string, string>;

export interface EntryProps<T> {
  readonly api: Api;
  readonly work: ConsoleAction;
  readonly names: Names;
  readonly item: T;
}

export const words = (text: string): string => text.replaceAll('_', ' ');

const TONES: Readonly<Record<string, string>> = {
  submitted: 'warn',
  quoted: '',
  accepted: 'go',
  issued: 'warn',
  confirmed: 'warn',
  fulfilled: 'go',
  paid: 'go',
  overdue: 'no',
};

export const StatusBadge = ({ text }: { readonly text: string }) => (
  <span class={`sign ${TONES[text] ?? ''}`}>{words(text)}</span>
);

interface LinesProps {
  readonly names: Names;
  readonly deal: Pick<Deal, 'items' | 'currency' | 'subtotal' | 'tax_amount' | 'total'>;
}

export const Lines = ({ names, deal: { items, currency, subtotal, tax_amount, total } }: LinesProps) => (
  <div class="wide agreed">
    <table>
      <thead>
        <tr>
          <th>Item</th>
          <th class="number">Quantity</th>
          <th class="number">Each</th>
          <th class="number">{currency}</th>
        </tr>
      </thead>
      <tbody>
        {items.map(({ id, variant_id, quantity, unit_price, total: sum }) => (
          <tr key={id}>
            <td>{names.get(variant_id)}</td>
            <td class="number">{quantity}</td>
            <td class="number">{amountText(unit_price, currency)}</td>
            <td class="number">{amountText(sum, currency)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={3}>
            Subtotal {amountText(subtotal, currency)}, tax {amountText(tax_amount, currency)}
          </td>
          <td class="number">
            <b>{amountText(total, currency)}</b>
          </td>
        </tr>
      </tfoot>
    </table>
  </div>
);
