// Asks which units of a purchase order to bill, and issues the invoice.
import { at, FormSheet, goAfterSave, useForm, useFormats } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { NumberField } from '#edge/pages/design/field.tsx';
import type { PurchaseOrder } from '#proto/client/dashboard.ts';
import type { VariantNames } from './name.ts';
import type { UnbilledItem } from './unbilled.ts';

interface BillProps {
  readonly order: PurchaseOrder;
  readonly unbilled: readonly UnbilledItem[];
  readonly names: VariantNames;
  readonly close: () => void;
}

export const BillDialog = ({ order: { id, po_number, currency }, unbilled, names, close }: BillProps) => {
  const { money } = useFormats();
  const form = useForm({
    saved: { units: unbilled.map(({ units }): number => units) as readonly number[] },
    save: (api, { units }) =>
      api.b2b.invoices.create({
        purchase_order_id: id,
        items: unbilled
          .map(({ item }, index) => ({ item_id: item.id, quantity: units[index] ?? 0 }))
          .filter(({ quantity }) => quantity !== 0),
      }),
    done: 'The invoice is issued.',
    after: ({ data }) => goAfterSave(at(`wholesale/invoices/${data.id}`)),
  });
  const { units } = form.draft;
  const subtotal = unbilled.reduce((sum, { item }, index) => sum + item.unit_price * (units[index] ?? 0), 0);
  return (
    <Dialog title={`Bill ${po_number}`} close={close}>
      <FormSheet form={form} action="Issue the invoice">
        {unbilled.map(({ item, units: max }, index) => (
          <NumberField
            key={item.id}
            label={`Units of ${names.get(item.variant_id) ?? item.variant_id}`}
            unit={`of ${max}`}
            min={0}
            max={max}
            step={1}
            value={units[index] ?? 0}
            change={(count) => form.set({ units: units.with(index, count ?? 0) })}
          />
        ))}
        <p>
          Subtotal: <b>{money(subtotal, currency)}</b>
        </p>
      </FormSheet>
      <div class="buttons">
        <Button press={close}>Back</Button>
      </div>
    </Dialog>
  );
};
