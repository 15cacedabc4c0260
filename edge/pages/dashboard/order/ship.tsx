// Ships units of an order: with a label of a connected carrier, or as a parcel that was sent otherwise, with its tracking number.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useCan, useRecord, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi, OrderLine, StoreOrder } from '#proto/client/dashboard.ts';
import { LabelPurchase, type ShippedUnits } from './label.tsx';

interface ShipProps {
  readonly order: StoreOrder;
  readonly close: () => void;
  readonly shipped: () => void;
}

export const unshipped = ({ quantity, quantity_fulfilled }: OrderLine): number => quantity - quantity_fulfilled;

interface SentParcelProps extends ShipProps {
  readonly units: readonly ShippedUnits[];
}

const SentParcel = ({ order, units, close, shipped }: SentParcelProps) => {
  const write = useWrite();
  const [carrier, setCarrier] = useState('');
  const [tracking, setTracking] = useState('');
  const [url, setUrl] = useState('');
  const ship = async (): Promise<void> => {
    const made = await write.run(
      (api) =>
        api.orders.shipments.create({
          id: order.id,
          carrier,
          tracking_number: tracking,
          ...(url.trim() === '' ? {} : { tracking_url: url }),
          items: units,
        }),
      { done: 'The shipment is recorded.' },
    );
    if (made) shipped();
  };
  return (
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
      <ProblemNote problem={write.problem} />
      <div class="buttons">
        <Button press={close}>Back</Button>
        <Button
          submits
          tone="primary"
          busy={write.busy}
          disabled={units.length === 0 || carrier.trim() === '' || tracking.trim() === ''}
        >
          Ship
        </Button>
      </div>
    </form>
  );
};

const sellsLabels = async (api: DashboardApi): Promise<boolean> =>
  (await api.shipping.providers.list()).providers.some(({ kind }) => kind === 'carrier_account');

const WAYS = [
  { value: 'label', label: 'Buy a label' },
  { value: 'sent', label: 'Record a parcel that was sent' },
];

export const ShipDialog = ({ order, close, shipped }: ShipProps) => {
  const can = useCan();
  const lines = order.items.filter((line) => unshipped(line) > 0);
  const [counts, setCounts] = useState<Readonly<Record<string, number>>>(
    Object.fromEntries(lines.map((line) => [line.id, unshipped(line)])),
  );
  const labels = useRecord(async (api) => can('shipping:read') && (await sellsLabels(api)), []).value ?? false;
  const [way, setWay] = useState('sent');
  const Way = labels && way === 'label' ? LabelPurchase : SentParcel;
  const units = lines
    .filter(({ id }) => (counts[id] ?? 0) > 0)
    .map(({ id }) => ({ order_item_id: id, quantity: counts[id]! }));
  return (
    <Dialog title={`Ship order ${order.order_number}`} close={close} wide>
      {labels && <SelectField label="How" options={WAYS} value={way} change={setWay} />}
      {lines.map((line) => (
        <NumberField
          key={line.id}
          label={`Units of ${line.name}${line.variant_name ? `, ${line.variant_name}` : ''}`}
          unit={`of ${unshipped(line)}`}
          value={counts[line.id] ?? 0}
          change={(value) => setCounts({ ...counts, [line.id]: value ?? 0 })}
          min={0}
          max={unshipped(line)}
          step={1}
        />
      ))}
      <Way order={order} units={units} close={close} shipped={shipped} />
    </Dialog>
  );
};
