// Parts of every step of a deal: its status, its buyer, its lines and sums.
import { at, useCan, useFormats, useRecord } from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { Badge, Facts, Sheet, type Tone } from '#edge/pages/design/display.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { AgreedItem } from '#proto/client/dashboard.ts';
import type { VariantNames } from './name.ts';

const TONES: Readonly<Record<string, Tone>> = {
  submitted: 'warn',
  accepted: 'go',
  issued: 'warn',
  confirmed: 'warn',
  fulfilled: 'go',
  paid: 'go',
  overdue: 'no',
  rejected: 'no',
  cancelled: 'no',
};

export const DealBadge = ({ status }: { readonly status: string }) => (
  <Badge tone={TONES[status] ?? 'plain'}>{words(status)}</Badge>
);

const BuyerLink = ({ id }: { readonly id: string }) => {
  const { value } = useRecord((api) => api.customers.get({ id }), [id]);
  const name = [value?.customer.first_name, value?.customer.last_name].filter(Boolean).join(' ');
  return <a href={at(`customers/${id}`)}>{name || value?.customer.email || id}</a>;
};

/** The buyer by name, for roles that may read customers. */
export const Buyer = ({ id }: { readonly id: string }) => {
  const can = useCan();
  return can('customers:read') ? <BuyerLink id={id} /> : <span>{id}</span>;
};

interface DealLinesProps {
  readonly names: VariantNames;
  readonly deal: {
    readonly items: readonly Pick<AgreedItem, 'id' | 'variant_id' | 'quantity' | 'unit_price' | 'total'>[];
    readonly currency: string;
    readonly subtotal: number;
    readonly tax_amount: number;
    readonly total: number;
  };
}

export const DealLines = ({ names, deal: { items, currency, subtotal, tax_amount, total } }: DealLinesProps) => {
  const { money, number } = useFormats();
  return (
    <>
      <Sheet title="Items" flush>
        <Table
          label="Items"
          rows={items}
          idOf={({ id }) => id}
          columns={[
            { id: 'name', name: 'Item', cell: ({ variant_id }) => names.get(variant_id) ?? variant_id },
            { id: 'units', name: 'Units', number: true, cell: ({ quantity }) => number(quantity) },
            {
              id: 'each',
              name: 'Each',
              number: true,
              cell: ({ unit_price }) => money(unit_price, currency),
              desk: true,
            },
            { id: 'total', name: 'Total', number: true, cell: ({ total: sum }) => money(sum, currency) },
          ]}
        />
      </Sheet>
      <Sheet title="Total">
        <Facts
          facts={[
            ['Subtotal', money(subtotal, currency)],
            ['Tax', money(tax_amount, currency)],
            ['Total', money(total, currency)],
          ]}
        />
      </Sheet>
    </>
  );
};
