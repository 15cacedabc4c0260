// One return: what the customer sends back and why, and the steps to its refund.
import { useState } from 'preact/hooks';
import {
  at,
  ProblemNote,
  problemAt,
  type ScreenProps,
  useCan,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { StatusBadge, words } from '#edge/pages/dashboard/status.tsx';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { CheckField, LongTextField, NumberField } from '#edge/pages/design/field.tsx';
import type { OrderReturn, StoreOrder, UpdateReturnRequest } from '#proto/client/dashboard.ts';

type Step = 'approved' | 'rejected' | 'received' | 'refunded' | 'credit';

const STEPS: Readonly<Record<string, readonly Step[]>> = {
  requested: ['approved', 'rejected', 'credit'],
  approved: ['received', 'credit'],
  received: ['refunded', 'credit'],
};

const LABELS: Readonly<Record<Step, string>> = {
  approved: 'Approve',
  rejected: 'Reject',
  received: 'Mark as received',
  refunded: 'Refund',
  credit: 'Offer store credit',
};

interface StepProps {
  readonly made: OrderReturn;
  readonly step: Step;
  readonly close: () => void;
  readonly changed: () => void;
}

const StepDialog = ({ made, step, close, changed }: StepProps) => {
  const write = useWrite();
  const [note, setNote] = useState(made.note ?? '');
  const [restock, setRestock] = useState(true);
  const [amount, setAmount] = useState<number | null>(step === 'credit' ? (made.credit_offer?.amount ?? null) : null);
  const request = (): UpdateReturnRequest => ({
    id: made.id,
    ...(step === 'credit' ? { credit_offer: { amount: amount ?? 0 } } : { status: step }),
    ...(step === 'received' ? { restock } : {}),
    ...(step === 'refunded' && amount !== null ? { refund_amount: amount } : {}),
    ...(note.trim() === '' ? {} : { note }),
  });
  const save = async (): Promise<void> => {
    const saved = await write.run((api) => api.returns.update(request()), { done: 'The return is saved.' });
    if (saved) changed();
  };
  return (
    <Dialog title={`${LABELS[step]}: return of ${made.items.length} items`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {step === 'received' && (
          <CheckField label="Put the units back into stock" value={restock} change={setRestock} />
        )}
        {(step === 'refunded' || step === 'credit') && (
          <NumberField
            label="Amount"
            unit={made.currency}
            value={amount}
            change={setAmount}
            min={0}
            problem={problemAt(write.problem, step === 'credit' ? 'credit_offer.amount' : 'refund_amount')}
            advice={step === 'refunded' ? 'Left empty, the items’ price is given back.' : undefined}
          />
        )}
        <LongTextField label="Note for the customer" value={note} change={setNote} rows={3} />
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy} disabled={step === 'credit' && amount === null}>
            {LABELS[step]}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

interface ReturnProps {
  readonly made: OrderReturn;
  readonly order: StoreOrder | null;
  readonly refresh: () => void;
}

const ReturnParts = ({ made, order, refresh }: ReturnProps) => {
  const { money, moment, number } = useFormats();
  const can = useCan();
  const [step, setStep] = useState<Step | null>(null);
  const nameOf = (id: string): string => order?.items.find((line) => line.id === id)?.name ?? id;
  return (
    <>
      <PageHead
        title={`Return: ${words(made.reason_code)}`}
        up={{ label: 'Returns', to: at('service', { kind: 'returns' }) }}
        badge={<StatusBadge status={made.status} />}
      >
        {can('returns:write') &&
          (STEPS[made.status] ?? []).map((each, index) => (
            <Button key={each} tone={index === 0 ? 'primary' : 'plain'} press={() => setStep(each)}>
              {LABELS[each]}
            </Button>
          ))}
      </PageHead>
      <Sheet title="Request">
        <Facts
          facts={[
            ['Requested', moment(made.created_at)],
            ['Wanted', words(made.resolution)],
            [
              'Order',
              <a key="order" href={at(`orders/${made.order_id}`)}>
                {order ? `#${order.order_number}` : 'Show'}
              </a>,
            ],
            ...(made.contact_phone ? ([['Phone', made.contact_phone]] as const) : []),
            ...(made.refund_amount === null ? [] : ([['Refunded', money(made.refund_amount, made.currency)]] as const)),
            ...(made.credit_offer
              ? ([
                  [
                    'Store credit offered',
                    `${money(made.credit_offer.amount, made.currency)}, ${made.credit_offer.status}`,
                  ],
                ] as const)
              : []),
          ]}
        />
        {made.reason_detail && <p>{made.reason_detail}</p>}
        {made.note && <p class="soft">Note for the customer: {made.note}</p>}
      </Sheet>
      <Sheet title="Items">
        {made.items.map(({ order_item_id, quantity }) => (
          <div key={order_item_id} class="row between">
            <span>{nameOf(order_item_id)}</span>
            <span>× {number(quantity)}</span>
          </div>
        ))}
      </Sheet>
      {step && (
        <StepDialog
          made={made}
          step={step}
          close={() => setStep(null)}
          changed={() => {
            setStep(null);
            refresh();
          }}
        />
      )}
    </>
  );
};

export const ReturnScreen = ({ params: { id = '' } }: ScreenProps) => {
  const can = useCan();
  const loaded = useRecord(
    async (api) => {
      const { data } = await api.returns.get({ id });
      const order = can('orders:read') ? (await api.orders.get({ id: data.order_id })).order : null;
      return { made: data, order };
    },
    [id],
  );
  return (
    <WhenLoaded loaded={loaded}>
      {({ made, order }) => <ReturnParts made={made} order={order} refresh={loaded.refresh} />}
    </WhenLoaded>
  );
};
