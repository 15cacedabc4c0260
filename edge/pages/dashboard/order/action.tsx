// Actions on an order: a button for each action, and the dialog that asks for its input.
import { useState } from 'preact/hooks';
import { at, go, ProblemNote, useCan, useFormats, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { Menu } from '#edge/pages/design/menu.tsx';
import type { StoreOrder, UpdateOrderRequest } from '#proto/client/dashboard.ts';
import { AddressFields, addressOf, draftOf } from './address.tsx';
import { PaymentLink } from './payment_link.tsx';
import { RefundDialog } from './refund.tsx';
import { ShipDialog, unshipped } from './ship.tsx';

const NEXT: Readonly<Record<string, { readonly status: UpdateOrderRequest['order_status']; readonly label: string }>> =
  {
    pending: { status: 'confirmed', label: 'Confirm' },
    confirmed: { status: 'processing', label: 'Begin to pack' },
    shipped: { status: 'delivered', label: 'Mark as delivered' },
  };

export type ShownDialog = 'ship' | 'refund' | 'cancel' | 'paid' | 'link' | 'address' | 'billing' | null;

interface AddressDialogProps {
  readonly kind: 'shipping_address' | 'billing_address';
  readonly order: StoreOrder;
  readonly close: () => void;
  readonly saved: () => void;
}

const AddressDialog = ({ kind, order, close, saved }: AddressDialogProps) => {
  const [draft, setDraft] = useState(draftOf(order[kind], order.shipping_address?.country ?? 'US'));
  const write = useWrite();
  const save = async (): Promise<void> => {
    const changed = await write.run((api) => api.orders.update({ id: order.id, [kind]: addressOf(draft) }), {
      done: 'The address is saved.',
    });
    if (changed) saved();
  };
  return (
    <Dialog title={kind === 'shipping_address' ? 'Delivery address' : 'Billing address'} close={close} wide>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <AddressFields
          draft={draft}
          change={setDraft}
          problem={(field) => (write.problem?.param === `${kind}.${field}` ? write.problem.message : undefined)}
        />
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const Actions = ({
  order,
  show,
  refresh,
}: {
  order: StoreOrder;
  show: (what: ShownDialog) => void;
  refresh: () => void;
}) => {
  const can = useCan();
  const step = useWrite();
  const next = NEXT[order.order_status];
  const authorized = order.payment_status === 'authorized';
  const cancelled = order.order_status === 'cancelled';
  const canShip = order.items.some((line) => unshipped(line) > 0) && !cancelled && order.order_status !== 'pending';
  const move = async (status: UpdateOrderRequest['order_status']): Promise<void> => {
    const moved = await step.run((api) => api.orders.update({ id: order.id, order_status: status! }), {
      done: `The order is ${status}.`,
    });
    if (moved) refresh();
  };
  return (
    <>
      {can('orders:write') && (
        <>
          {canShip && (
            <Button tone="primary" press={() => show('ship')}>
              Ship
            </Button>
          )}
          {next && (
            <Button tone={canShip ? 'plain' : 'primary'} busy={step.busy} press={() => void move(next.status)}>
              {next.label}
            </Button>
          )}
          {order.amount_due > 0 && !cancelled && !authorized && (
            <Button press={() => show('paid')}>Mark as paid</Button>
          )}
        </>
      )}
      <Menu
        label="More"
        items={[
          ...(can('payments:write') && order.amount_due > 0 && !cancelled && !authorized
            ? [{ label: 'Payment link', press: () => show('link') }]
            : []),
          ...(can('orders:write') && !authorized ? [{ label: 'Refund', press: () => show('refund') }] : []),
          ...(can('orders:write') && !cancelled && order.order_status !== 'delivered'
            ? [{ label: 'Cancel the order', press: () => show('cancel') }]
            : []),
          { label: 'Packing slip', press: () => go(at(`orders/${order.id}/slip`)) },
          { label: 'Invoice', press: () => go(at(`orders/${order.id}/invoice`)) },
        ]}
      />
      <ProblemNote problem={step.problem} />
    </>
  );
};

/** The dialog over the order; a change reads the order again. */
export const OrderDialog = ({
  shown,
  order,
  close,
  changed,
}: {
  readonly shown: ShownDialog;
  readonly order: StoreOrder;
  readonly close: () => void;
  readonly changed: () => void;
}) => {
  const write = useWrite();
  const run = async (change: Omit<UpdateOrderRequest, 'id'>, done: string): Promise<void> => {
    const made = await write.run((api) => api.orders.update({ id: order.id, ...change }), { done });
    if (made) changed();
  };
  const { money } = useFormats();
  switch (shown) {
    case 'ship':
      return <ShipDialog order={order} close={close} shipped={changed} />;
    case 'refund':
      return <RefundDialog order={order} close={close} refunded={changed} />;
    case 'address':
      return <AddressDialog kind="shipping_address" order={order} close={close} saved={changed} />;
    case 'billing':
      return <AddressDialog kind="billing_address" order={order} close={close} saved={changed} />;
    case 'link':
      return <PaymentLink order={order} close={close} />;
    case 'paid':
      return (
        <Confirm
          title={`Mark order ${order.order_number} as paid?`}
          action="Mark as paid"
          danger={false}
          busy={write.busy}
          close={close}
          confirm={() => void run({ payment_status: 'paid' }, 'The order is paid.')}
        >
          <p>You received {money(order.amount_due, order.currency)} outside of the shop.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      );
    case 'cancel':
      return (
        <Confirm
          title={`Cancel order ${order.order_number}?`}
          action="Cancel the order"
          busy={write.busy}
          close={close}
          confirm={() => void run({ order_status: 'cancelled' }, 'The order is cancelled.')}
        >
          <p>
            Its units go back into stock, and what was paid is given back. A cancelled order cannot be opened again.
          </p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      );
    case null:
      return null;
  }
};
