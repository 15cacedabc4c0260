// Ships several orders at once: one carrier, a tracking number for each. An order that is refused keeps its row.
import { useState } from 'preact/hooks';
import { problemOf, problemText, type ScreenProblem, useCall, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { StoreOrder } from '#proto/client/dashboard.ts';

interface BulkShipProps {
  readonly orders: readonly StoreOrder[];
  readonly close: () => void;
}

const ordersText = (count: number): string => (count === 1 ? '1 order' : `${count} orders`);

export const BulkShip = ({ orders, close }: BulkShipProps) => {
  const [carrier, setCarrier] = useState('');
  const [tracking, setTracking] = useState<Readonly<Record<string, string>>>({});
  const [shipped, setShipped] = useState<ReadonlySet<string>>(new Set());
  const [refused, setRefused] = useState<Readonly<Record<string, ScreenProblem>>>({});
  const write = useWrite();
  const call = useCall();
  const open = orders.filter(({ id }) => !shipped.has(id));
  const ready = open.filter(({ id }) => (tracking[id] ?? '').trim() !== '');

  const ship = (): void =>
    void write.run(async () => {
      const done = new Set(shipped);
      const problems: Record<string, ScreenProblem> = {};
      for (const { id } of ready) {
        try {
          await call((api) => api.orders.shipments.create({ id, carrier, tracking_number: tracking[id]!.trim() }));
          done.add(id);
        } catch (problem) {
          problems[id] = problemOf(problem);
        }
      }
      setShipped(done);
      setRefused(problems);
      if (done.size > shipped.size) toast(`${ordersText(done.size - shipped.size)} shipped.`);
      if (done.size === orders.length) close();
    });

  return (
    <Dialog title={`Ship ${ordersText(orders.length)}`} close={close} wide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          ship();
        }}
      >
        <TextField label="Carrier" value={carrier} change={setCarrier} placeholder="DHL" required />
        {open.map(({ id, order_number, email }) => (
          <TextField
            key={id}
            label={`Tracking number of #${order_number}`}
            advice={email}
            value={tracking[id] ?? ''}
            change={(value) => setTracking({ ...tracking, [id]: value })}
            problem={refused[id] && problemText(refused[id])}
          />
        ))}
        <div class="buttons">
          <Button press={close}>Close</Button>
          <Button submits tone="primary" busy={write.busy} disabled={carrier.trim() === '' || ready.length === 0}>
            Ship {ready.length}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
