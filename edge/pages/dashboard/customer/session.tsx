// The sessions in which a customer is signed in, ended one by one or all at once.
import { useState } from 'preact/hooks';
import { ListTable, ProblemNote, useCan, useFormats, useList, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Empty } from '#edge/pages/design/display.tsx';
import type { TableColumn } from '#edge/pages/design/table.tsx';
import type { AccountSessionRecord, Customer } from '#proto/client/dashboard.ts';

interface EndAllProps {
  readonly customer: Customer;
  readonly close: () => void;
  readonly ended: () => void;
}

const EndAll = ({ customer: { id, email }, close, ended }: EndAllProps) => {
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.customers.sessions.end({ id }), {
      done: `All sessions of ${email} have ended.`,
    });
    if (answer) ended();
  };
  return (
    <Confirm
      title="End all sessions?"
      action="End all sessions"
      busy={write.busy}
      confirm={() => void confirm()}
      close={close}
    >
      <p>{email} is signed out on every device. The password stays as it is.</p>
      <ProblemNote problem={write.problem} />
    </Confirm>
  );
};

export const Sessions = ({ customer }: { readonly customer: Customer }) => {
  const { id: customer_id } = customer;
  const { moment } = useFormats();
  const can = useCan();
  const list = useList((api, page) => api.customers.sessions.list({ ...page, id: customer_id }), 'sessions', [
    customer_id,
  ]);
  const write = useWrite();
  const [isAsked, setAsked] = useState(false);
  const mayEnd = can('customers:write');
  const end = async (session_id: string): Promise<void> => {
    await write.run((api) => api.customers.sessions.delete({ id: customer_id, session_id }), {
      done: 'The session has ended.',
    });
    list.refresh();
  };
  const columns: readonly TableColumn<AccountSessionRecord>[] = [
    { id: 'device', name: 'Browser', cell: ({ user_agent }) => user_agent ?? '–' },
    { id: 'begun', name: 'Signed in', cell: ({ created_at }) => moment(created_at) },
    { id: 'seen', name: 'Last seen', cell: ({ last_refreshed_at }) => moment(last_refreshed_at), desk: true },
    { id: 'ends', name: 'Ends', cell: ({ expires_at }) => moment(expires_at), desk: true },
    ...(mayEnd
      ? [
          {
            id: 'end',
            name: 'Action',
            cell: ({ id, created_at }: AccountSessionRecord) => (
              <Button press={() => void end(id)}>
                End<span class="unseen"> the session of {moment(created_at)}</span>
              </Button>
            ),
            number: true,
          },
        ]
      : []),
  ];
  return (
    <section class="stack">
      <div class="row between">
        <h2>Sessions</h2>
        {mayEnd && list.items.length > 0 && <Button press={() => setAsked(true)}>End all</Button>}
      </div>
      <ProblemNote problem={write.problem} />
      <ListTable
        label="Sessions"
        list={list}
        columns={columns}
        idOf={({ id }) => id}
        empty={
          <Empty title="Not signed in">
            <p>A session lasts 30 days after its last refresh.</p>
          </Empty>
        }
      />
      {isAsked && (
        <EndAll
          customer={customer}
          close={() => setAsked(false)}
          ended={() => {
            setAsked(false);
            list.refresh();
          }}
        />
      )}
    </section>
  );
};
