// Refunds an order: units of its lines, with or without their return to stock, or an amount.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useFormats, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { CheckField, NumberField, TextField } from '#edge/pages/design/field.tsx';
import type { OrderLine, StoreOrder } from '#proto/client/dashboard.ts';

interface RefundProps {
  readonly order: StoreOrder;
  readonly close: () => void;
  readonly refunded: () => void;
}

const refundable = ({ quantity, quantity_returned }: OrderLine): number => quantity - quantity_returned;

export const RefundDialog = ({ order, close, refunded }: RefundProps) => {
  const { money } = useFormats();
  const write = useWrite();
  const [units, setUnits] = useState<Readonly<Record<string, number>>>({});
  const [restock, setRestock] = useState(true);
  const [amount, setAmount] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const lines = order.items.filter((line) => refundable(line) > 0);
  const items = lines
    .filter(({ id }) => (units[id] ?? 0) > 0)
    .map(({ id }) => ({ order_item_id: id, quantity: units[id]!, restock }));
  const left = order.amount_paid + order.gift_card_total + order.store_credit_total - order.amount_refunded;

  const refund = async (): Promise<void> => {
    const made = await write.run(
      (api) =>
        api.orders.refunds.create({
          id: order.id,
          ...(amount === null ? {} : { amount }),
          ...(items.length === 0 ? {} : { items }),
          ...(reason.trim() === '' ? {} : { reason }),
        }),
      { done: 'The refund is made.' },
    );
    if (made) refunded();
  };

  return (
    <Dialog title={`Refund order ${order.order_number}`} close={close} wide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void refund();
        }}
      >
        <p>Up to {money(left, order.currency)} can be given back.</p>
        {lines.map((line) => (
          <NumberField
            key={line.id}
            label={`Units of ${line.name}${line.variant_name ? `, ${line.variant_name}` : ''}`}
            unit={`of ${refundable(line)}`}
            value={units[line.id] ?? 0}
            change={(value) => setUnits({ ...units, [line.id]: value ?? 0 })}
            min={0}
            max={refundable(line)}
            step={1}
          />
        ))}
        <CheckField label="Put these units back into stock" value={restock} change={setRestock} />
        <NumberField
          label="Amount"
          unit={order.currency}
          value={amount}
          change={setAmount}
          min={0}
          problem={problemAt(write.problem, 'amount')}
          advice="Left empty, the units' price is given back."
        />
        <TextField label="Reason" value={reason} change={setReason} problem={problemAt(write.problem, 'reason')} />
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="danger" busy={write.busy} disabled={items.length === 0 && amount === null}>
            Refund
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
