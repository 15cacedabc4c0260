// Asks how a purchase order is shipped, and marks it as fulfilled.
import { FormSheet, useForm } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { PurchaseOrder } from '#proto/client/dashboard.ts';

interface FulfilProps {
  readonly order: PurchaseOrder;
  readonly close: () => void;
  readonly sent: () => void;
}

export const FulfilDialog = ({ order: { id, po_number }, close, sent }: FulfilProps) => {
  const form = useForm({
    saved: { carrier: '', tracking_number: '', tracking_url: '' },
    save: (api, draft) =>
      api.b2b.purchaseOrders.fulfill({
        id,
        ...Object.fromEntries(Object.entries(draft).filter(([, value]) => value.trim() !== '')),
      }),
    done: `${po_number} is on its way.`,
    after: () => {
      close();
      sent();
    },
  });
  return (
    <Dialog title={`Fulfil ${po_number}`} close={close}>
      <FormSheet form={form} action="Mark as fulfilled">
        <TextField label="Carrier" {...form.field('carrier')} />
        <TextField label="Tracking number" {...form.field('tracking_number')} />
        <TextField label="Tracking link" type="url" {...form.field('tracking_url')} />
      </FormSheet>
      <div class="buttons">
        <Button press={close}>Back</Button>
      </div>
    </Dialog>
  );
};
