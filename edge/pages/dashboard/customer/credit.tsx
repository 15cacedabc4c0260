// A customer's store credit: its balance, its entries, and a grant.
import { useState } from 'preact/hooks';
import {
  at,
  ProblemNote,
  problemAt,
  useCan,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { NumberField, TextField } from '#edge/pages/design/field.tsx';
import { Table, type TableColumn } from '#edge/pages/design/table.tsx';
import type { StoreCredit, StoreCreditEntry } from '#proto/client/dashboard.ts';

interface GrantProps {
  readonly customer_id: string;
  readonly currency: string;
  readonly close: () => void;
  readonly granted: (credit: StoreCredit) => void;
}

const GrantDialog = ({ customer_id, currency, close, granted }: GrantProps) => {
  const { money } = useFormats();
  const write = useWrite();
  const [amount, setAmount] = useState<number | null>(null);
  const [reason, setReason] = useState('');
  const grant = async (): Promise<void> => {
    const why = reason.trim();
    const answer = await write.run(
      (api) => api.storeCredit.grant({ customer_id, amount: amount ?? 0, ...(why === '' ? {} : { reason: why }) }),
      { done: `${money(amount ?? 0, currency)} are granted.` },
    );
    if (!answer) return;
    granted(answer.store_credit);
    close();
  };
  const atAmount = problemAt(write.problem, 'amount');
  return (
    <Dialog title="Grant store credit" close={close}>
      <form
        class="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void grant();
        }}
      >
        <p>The customer spends it on orders. A grant cannot be taken back.</p>
        <NumberField label="Amount" unit={currency} min={0} value={amount} change={setAmount} problem={atAmount} />
        <TextField
          label="Reason"
          advice="The customer sees it beside the amount."
          value={reason}
          change={setReason}
          problem={problemAt(write.problem, 'reason')}
        />
        <ProblemNote problem={atAmount ? null : write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy}>
            Grant
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

export const Credit = ({ customer_id }: { readonly customer_id: string }) => {
  const can = useCan();
  const { money, moment } = useFormats();
  const [isGranting, setGranting] = useState(false);
  const loaded = useRecord(async (api) => (await api.storeCredit.get({ customer_id })).store_credit, [customer_id]);
  const currency = loaded.value?.currency;
  const columns: readonly TableColumn<StoreCreditEntry>[] = [
    { id: 'time', name: 'Time', cell: ({ created_at }) => moment(created_at) },
    {
      id: 'reason',
      name: 'Reason',
      cell: ({ reason, order_id }) => (order_id ? <a href={at(`orders/${order_id}`)}>{reason ?? 'Order'}</a> : reason),
    },
    { id: 'amount', name: 'Amount', cell: ({ amount }) => money(amount, currency), number: true },
  ];
  return (
    <Sheet
      title="Store credit"
      action={can('payments:write') && loaded.value && <Button press={() => setGranting(true)}>Grant</Button>}
    >
      <WhenLoaded loaded={loaded}>
        {({ balance, entries }) => (
          <>
            <div class="row between">
              <span>
                <b>{money(balance, currency)}</b> left
              </span>
              <a href={at('discounts/gift-cards', { customer_id })}>Gift cards</a>
            </div>
            {entries.length > 0 && (
              <Table label="Store credit" columns={columns} rows={entries} idOf={({ id }) => id} />
            )}
          </>
        )}
      </WhenLoaded>
      {isGranting && currency && (
        <GrantDialog
          customer_id={customer_id}
          currency={currency}
          close={() => setGranting(false)}
          granted={loaded.set}
        />
      )}
    </Sheet>
  );
};
