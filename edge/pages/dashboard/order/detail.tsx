// One order: its lines and sums, and everything that staff may do with it.
import { useState } from 'preact/hooks';
import {
  at,
  FormSheet,
  type ScreenProps,
  useCan,
  useForm,
  useFormats,
  useRecord,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { AuthorizationActions } from '#edge/pages/dashboard/payment/authorization.tsx';
import { StatusBadge, words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { EmailText, Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { LongTextField, TextField } from '#edge/pages/design/field.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import type { ListedPayment, OrderReturn, StoreOrder } from '#proto/client/dashboard.ts';
import { Actions, OrderDialog, type ShownDialog } from './action.tsx';
import { isSameAddress, PostalAddress } from './address.tsx';
import { TimeLine } from './time_line.tsx';
import { Totals } from './totals.tsx';

interface LoadedOrder {
  readonly order: StoreOrder;
  readonly payments: readonly ListedPayment[];
  readonly returns: readonly OrderReturn[];
}

interface PartProps extends LoadedOrder {
  readonly refresh: () => void;
}

const Lines = ({ order }: { readonly order: StoreOrder }) => {
  const { money, number } = useFormats();
  return (
    <Sheet title="Items" flush>
      <Table
        label="Items"
        rows={order.items}
        idOf={({ id }) => id}
        columns={[
          {
            id: 'name',
            name: 'Item',
            cell: ({ name, variant_name, sku, product_id }) => (
              <>
                <a href={at(`products/${product_id}`)}>{name}</a>
                {variant_name && <div class="soft">{variant_name}</div>}
                {sku && <div class="soft">{sku}</div>}
              </>
            ),
          },
          { id: 'units', name: 'Units', number: true, cell: ({ quantity }) => number(quantity) },
          {
            id: 'shipped',
            name: 'Shipped',
            number: true,
            desk: true,
            cell: ({ quantity_fulfilled }) => number(quantity_fulfilled),
          },
          {
            id: 'returned',
            name: 'Returned',
            number: true,
            desk: true,
            cell: ({ quantity_returned }) => number(quantity_returned),
          },
          {
            id: 'price',
            name: 'Price',
            number: true,
            desk: true,
            cell: ({ unit_price }) => money(unit_price, order.currency),
          },
          { id: 'amount', name: 'Amount', number: true, cell: ({ subtotal }) => money(subtotal, order.currency) },
        ]}
      />
    </Sheet>
  );
};

const Note = ({ order, refresh }: PartProps) => {
  const can = useCan();
  const form = useForm({
    saved: { note: order.note ?? '', email: order.email, version: order.updated_at },
    save: (api, _draft, { note, email }) =>
      api.orders.update({
        id: order.id,
        ...(note === undefined ? {} : { note: note.trim() === '' ? null : note }),
        ...(email === undefined ? {} : { email }),
      }),
    done: 'The order is saved.',
    next: (answer) => ({ version: answer.order.updated_at }),
    after: refresh,
  });
  return (
    <Sheet title="Contact and note">
      <FormSheet form={form} labels={{ note: 'Note for the staff', email: 'E-mail' }} canSave={can('orders:write')}>
        <TextField label="E-mail" type="email" {...form.field('email')} />
        <LongTextField label="Note for the staff" {...form.field('note')} rows={3} />
      </FormSheet>
    </Sheet>
  );
};

const Payments = ({ order, payments, refresh }: PartProps) => {
  const { money, moment } = useFormats();
  if (payments.length === 0 && order.refunds.length === 0) return null;
  return (
    <Sheet title="Payments and refunds">
      <Facts
        facts={[
          ...payments.map(({ provider, amount, currency, status, paid_at, created_at, failure }): [string, string] => [
            `${words(provider)}, ${moment(paid_at ?? created_at)}`,
            `${money(amount, currency)}, ${status}${failure ? `: ${failure}` : ''}`,
          ]),
          ...order.refunds.map(({ amount, reason, status, created_at }): [string, string] => [
            `Refund, ${moment(created_at)}`,
            `${money(-amount, order.currency)}, ${status}${reason ? `: ${reason}` : ''}`,
          ]),
        ]}
      />
      {payments.map((payment) => (
        <AuthorizationActions key={payment.id} payment={payment} refresh={refresh} />
      ))}
    </Sheet>
  );
};

const Shipments = ({ order }: { readonly order: StoreOrder }) => {
  const { moment } = useFormats();
  if (order.shipments.length === 0) return null;
  return (
    <Sheet title="Shipments">
      {order.shipments.map(({ id, carrier, service, tracking_number, tracking_url, label_url, created_at }) => (
        <div key={id} class="row between">
          <span>
            {[carrier, service].filter(Boolean).join(' ')}{' '}
            {tracking_url ? (
              <a href={tracking_url} target="_blank" rel="noreferrer">
                {tracking_number}
              </a>
            ) : (
              tracking_number
            )}
            <span class="soft"> {moment(created_at)}</span>
          </span>
          {label_url && (
            <a href={label_url} target="_blank" rel="noreferrer">
              Label
            </a>
          )}
        </div>
      ))}
    </Sheet>
  );
};

const Returns = ({ returns }: { readonly returns: readonly OrderReturn[] }) =>
  returns.length === 0 ? null : (
    <Sheet title="Returns">
      {returns.map(({ id, status, reason_code }) => (
        <div key={id} class="row between">
          <a href={at(`service/returns/${id}`)}>{words(reason_code)}</a>
          <StatusBadge status={status} />
        </div>
      ))}
    </Sheet>
  );

interface BillingAddressProps {
  readonly order: StoreOrder;
  readonly change: () => void;
}

const BillingAddress = ({ order, change }: BillingAddressProps) => {
  const can = useCan();
  const { shipping_address: shipping, billing_address: billing } = order;
  const canChange = can('orders:write') && order.order_status !== 'cancelled' && order.amount_due > 0;
  return (
    <Sheet
      title="Billing address"
      action={
        canChange && (
          <Button tone="quiet" press={change}>
            Change
          </Button>
        )
      }
    >
      {shipping && billing && isSameAddress(shipping, billing) ? (
        <p class="soft">Same as the delivery address</p>
      ) : (
        <PostalAddress address={billing} />
      )}
    </Sheet>
  );
};

const OrderParts = ({ order, payments, returns, refresh }: PartProps) => {
  const [shown, show] = useState<ShownDialog>(null);
  const { moment } = useFormats();
  const can = useCan();
  const close = (): void => show(null);
  return (
    <>
      <PageHead
        title={`Order ${order.order_number}`}
        up={{ label: 'Orders', to: at('orders') }}
        badge={
          <>
            <StatusBadge status={order.order_status} /> <StatusBadge status={order.payment_status} />
          </>
        }
      >
        <Actions order={order} show={show} refresh={refresh} />
      </PageHead>
      <p class="soft">
        Placed {moment(order.created_at)}
        {order.agent && ` by ${order.agent.name}`}
      </p>
      <Lines order={order} />
      <div class="columns four">
        <Sheet title="Total">
          <Totals order={order} />
        </Sheet>
        <Sheet
          title="Delivery address"
          action={
            can('orders:write') &&
            order.order_status !== 'cancelled' && (
              <Button tone="quiet" press={() => show('address')}>
                Change
              </Button>
            )
          }
        >
          <PostalAddress address={order.shipping_address} />
        </Sheet>
        <BillingAddress order={order} change={() => show('billing')} />
        <Sheet title="Customer">
          <p>
            {order.customer_id ? (
              <a href={at(`customers/${order.customer_id}`)}>
                <EmailText email={order.email} />
              </a>
            ) : (
              <EmailText email={order.email} />
            )}
          </p>
          <a href={at('orders', { search: order.email })}>All orders of this address</a>
        </Sheet>
      </div>
      <Payments order={order} payments={payments} returns={returns} refresh={refresh} />
      <Shipments order={order} />
      <Returns returns={returns} />
      <Note order={order} payments={payments} returns={returns} refresh={refresh} key={order.id} />
      <TimeLine order={order} payments={payments} returns={returns} />
      <OrderDialog
        shown={shown}
        order={order}
        close={close}
        changed={() => {
          close();
          refresh();
        }}
      />
    </>
  );
};

export const OrderScreen = ({ params: { id = '' } }: ScreenProps) => {
  const can = useCan();
  const loaded = useRecord(
    async (api): Promise<LoadedOrder> => {
      const [{ order }, payments, returns] = await Promise.all([
        api.orders.get({ id }),
        can('payments:read') ? api.payments.list({ order_id: id, limit: 100 }) : null,
        can('returns:read') ? api.returns.list({ order_id: id, limit: 100 }) : null,
      ]);
      return { order, payments: payments?.payments ?? [], returns: returns?.data ?? [] };
    },
    [id],
  );
  return <WhenLoaded loaded={loaded}>{(value) => <OrderParts {...value} refresh={loaded.refresh} />}</WhenLoaded>;
};
