// One customer: contact, group, addresses, store credit, sessions and orders; and the end of their account.
import { useState } from 'preact/hooks';
import {
  at,
  go,
  ListTable,
  ProblemNote,
  type ScreenProps,
  useCan,
  useFormats,
  useList,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { StatusBadge } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Badge, Empty, PageHead } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { Customer, StoreOrder } from '#proto/client/dashboard.ts';
import { AddressBook } from './address_book.tsx';
import { Contact, Group } from './contact.tsx';
import { Credit } from './credit.tsx';
import { fullName } from './list.tsx';
import { Privacy } from './privacy.tsx';
import { Sessions } from './session.tsx';

const DeleteDialog = ({ customer, close }: { readonly customer: Customer; readonly close: () => void }) => {
  const { id, email } = customer;
  const [typed, setTyped] = useState('');
  const write = useWrite();
  const remove = async (): Promise<void> => {
    const answer = await write.run((api) => api.customers.delete({ id }), {
      done: `The account of ${email} is deleted.`,
    });
    if (answer) go(at('customers'), { replace: true });
  };
  const isTyped = typed.trim().toLowerCase() === email;
  return (
    <Dialog title={`Delete ${email}?`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped) void remove();
        }}
      >
        <p>The account and its sessions end for good. Orders stay, and the address may be registered again.</p>
        <TextField label="Type the e-mail address to confirm" value={typed} change={setTyped} />
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="danger" disabled={!isTyped} busy={write.busy}>
            Delete the customer
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const Orders = ({ customer_id }: { readonly customer_id: string }) => {
  const { money, moment } = useFormats();
  const list = useList((api, page) => api.orders.list({ ...page, customer_id }), 'orders', [customer_id]);
  const columns: readonly TableColumn<StoreOrder>[] = [
    { id: 'number', name: 'Order', cell: ({ order_number }) => `#${order_number}` },
    { id: 'placed', name: 'Placed', cell: ({ created_at }) => moment(created_at), desk: true },
    { id: 'status', name: 'Status', cell: ({ order_status }) => <StatusBadge status={order_status} /> },
    { id: 'total', name: 'Total', cell: ({ total_amount, currency }) => money(total_amount, currency), number: true },
  ];
  return (
    <section class="stack">
      <div class="row between">
        <h2>Orders</h2>
        <a href={at('orders', { customer_id })}>Among all orders</a>
      </div>
      <ListTable
        label="Orders"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        to={({ id }) => at(`orders/${id}`)}
        empty={<Empty title="No order yet" icon="order" />}
      />
    </section>
  );
};

const CustomerParts = ({
  customer,
  set,
}: {
  readonly customer: Customer;
  readonly set: (customer: Customer) => void;
}) => {
  const can = useCan();
  const { date } = useFormats();
  const [isDeleting, setDeleting] = useState(false);
  const { id, email, group, external_id, created_at } = customer;
  return (
    <>
      <PageHead
        title={fullName(customer) || email}
        up={{ label: 'Customers', to: at('customers') }}
        badge={group && <Badge>{group}</Badge>}
      >
        {can('customers:write') && (
          <Button tone="quiet" icon="remove" press={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </PageHead>
      <p class="soft">
        Customer since {date(created_at)}
        {external_id && `, ${external_id} in your own books`}
      </p>
      <Contact customer={customer} set={set} />
      <div class="columns">
        <Group customer={customer} set={set} />
        {can('payments:read') && <Credit customer_id={id} />}
      </div>
      <AddressBook customer={customer} set={set} />
      <Sessions customer={customer} />
      {can('orders:read') && <Orders customer_id={id} />}
      {can('') && <Privacy customer={customer} />}
      {isDeleting && <DeleteDialog customer={customer} close={() => setDeleting(false)} />}
    </>
  );
};

export const CustomerDetail = ({ params: { id = '' } }: ScreenProps) => {
  const loaded = useRecord(async (api) => (await api.customers.get({ id })).customer, [id]);
  return (
    <WhenLoaded loaded={loaded}>{(customer) => <CustomerParts customer={customer} set={loaded.set} />}</WhenLoaded>
  );
};
