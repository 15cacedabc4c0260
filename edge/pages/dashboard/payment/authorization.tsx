// Capture, in whole or in part, and void of an authorised payment, each with a question before.
import { useState } from 'preact/hooks';
import { ProblemNote, problemAt, useCan, useFormats, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { NumberField } from '#edge/pages/design/field.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { ListedPayment, PaymentState } from '#proto/client/dashboard.ts';

interface EndProps {
  readonly payment: ListedPayment;
  readonly close: () => void;
  readonly ended: () => void;
}

/** Tells whether the provider has confirmed the step or is still asked. */
const tellOf = ({ in_progress }: PaymentState, done: string): void =>
  toast(in_progress === null ? done : 'The provider has not answered yet. It is asked until it does.');

const CaptureDialog = ({ payment, close, ended }: EndProps) => {
  const { reference, amount: whole, currency } = payment;
  const { money } = useFormats();
  const write = useWrite();
  const [amount, setAmount] = useState<number | null>(whole);
  const isPart = amount !== null && amount < whole;
  const capture = async (): Promise<void> => {
    const state = await write.run((api) =>
      api.payments.capture({ reference, ...(amount === null || !isPart ? {} : { amount }) }),
    );
    if (!state) return;
    tellOf(state, 'The payment is captured.');
    ended();
  };
  return (
    <Dialog title={`Capture ${reference}?`} close={close}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void capture();
        }}
      >
        <NumberField
          label="Amount to capture"
          unit={currency}
          value={amount}
          change={setAmount}
          min={0}
          max={whole}
          problem={problemAt(write.problem, 'amount')}
          advice={`${money(whole, currency)} is authorised.`}
        />
        {isPart && (
          <p>
            {money(whole - amount, currency)} goes back to the customer. It is no longer due, and cannot be captured
            later.
          </p>
        )}
        <ProblemNote problem={write.problem} />
        <div class="buttons">
          <Button press={close}>Back</Button>
          <Button submits tone="primary" busy={write.busy} disabled={amount === null || amount === 0 || amount > whole}>
            Capture {money(amount ?? 0, currency)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const VoidDialog = ({ payment: { reference, amount, currency }, close, ended }: EndProps) => {
  const { money } = useFormats();
  const write = useWrite();
  const release = async (): Promise<void> => {
    const state = await write.run((api) => api.payments.void({ reference }));
    if (!state) return;
    tellOf(state, 'The payment is voided.');
    ended();
  };
  return (
    <Confirm
      title={`Void ${reference}?`}
      action="Void the payment"
      busy={write.busy}
      close={close}
      confirm={() => void release()}
    >
      <p>
        {money(amount, currency)} is released to the customer, and the order is unpaid again. A voided payment cannot be
        captured.
      </p>
      <ProblemNote problem={write.problem} />
    </Confirm>
  );
};

interface AuthorizationActionsProps {
  readonly payment: ListedPayment;
  readonly refresh: () => void;
}

/** The buttons of an authorised payment; none for any other payment or without the permission. */
export const AuthorizationActions = ({ payment, refresh }: AuthorizationActionsProps) => {
  const can = useCan();
  const { moment } = useFormats();
  const [shown, show] = useState<'capture' | 'void' | null>(null);
  if (payment.status !== 'authorized') return null;
  if (payment.in_progress !== null) return <span class="soft">The {payment.in_progress} is in progress.</span>;
  const close = (): void => show(null);
  const ended = (): void => {
    close();
    refresh();
  };
  return (
    <>
      <span class="row">
        {can('payments:write') && (
          <>
            <Button tone="primary" press={() => show('capture')}>
              Capture
            </Button>
            <Button press={() => show('void')}>Void</Button>
          </>
        )}
        {payment.capture_before !== null && <span class="soft">until {moment(payment.capture_before)}</span>}
      </span>
      {shown === 'capture' && <CaptureDialog payment={payment} close={close} ended={ended} />}
      {shown === 'void' && <VoidDialog payment={payment} close={close} ended={ended} />}
    </>
  );
};
