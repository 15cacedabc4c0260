// Ships units of an order: a parcel that was sent otherwise, with its tracking number.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { NumberField, TextField } from '#edge/pages/design/field.tsx';
import type { OrderLine, StoreOrder } from '#proto/client/dashboard.ts';

interface ShipProps {
  readonly order: StoreOrder;
  readonly close: () => void;
  readonly shipped: () => void;
}

export const unshipped = ({ quantity, quantity_fulfilled }: OrderLine): number => quantity - quantity_fulfilled;

export const ShipDialog = ({ order, close, shipped }: ShipProps) => {
  const write = useWrite();
  const lines = order.items.filter((line) => unshipped(line) > 0);
  const [carrier, setCarrier] = useState('');
  const [tracking, setTracking] = useState('');
  const [url, setUrl] = useState('');
  const [units, setUnits] = useState<Readonly<Record<string, number>>>(
    Object.fromEntries(lines.map((line) => [line.id, unshipped(line)])),
  );
  const items = lines
    .filter(({ id }) => (units[id] ?? 0) > 0)
    .map(({ id }) => ({ order_item_id: id, quantity: units[id]! }));

  const ship = async (): Promise<void> => {
    const made = await write.run(
      (api) =>
        api.orders.shipments.create({
          id: order.id,
          carrier,
          tracking_number: tracking,
          ...(url.trim() === '' ? {} : { tracking_url: url }),
          items,
        }),
      { done: 'The shipment is recorded.' },
    );
    if (made) shipped();
  };

  return (
    <Dialog title={`Ship order ${order.order_number}`} close={close} wide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void ship();
        }}
      >
        <div class="columns">
          <TextField
            label="Carrier"
            value={carrier}
            change={setCarrier}
            placeholder="DHL"
            problem={problemAt(write.problem, 'carrier')}
          />
          <TextField
            label="Tracking number"
            value={tracking}
            change={setTracking}
            problem={problemAt(write.problem, 'tracking_number')}
          />
          <TextField
            label="Tracking page"
            type="url"
            value={url}
            change={setUrl}
            placeholder="https://"
            problem={problemAt(write.problem, 'tracking_url')}
          />
        </div>
        {lines.map((line) => (
          <NumberField
            key={line.id}
            label={`Units of ${line.name}${line.variant_name ? `, ${line.variant_name}` : ''}`}
            unit={`of ${unshipped(line)}`}
            value={units[line.id] ?? 0}
            change={(value) => setUnits({ ...units, [line.id]: value ?? 0 })}
            min={0}
            max={unshipped(line)}
            step={1}
          />
        ))}
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button
            submits
            tone="primary"
            busy={write.busy}
            disabled={items.length === 0 || carrier.trim() === '' || tracking.trim() === ''}
          >
            Ship
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
