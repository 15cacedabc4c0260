// A payment link for an order: a page of the payment provider's, to be sent to the customer.
import { useState } from 'preact/hooks';
import { at, ProblemNote, useFormats, useRecord, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { SelectField, TextField } from '#edge/pages/design/field.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { InitializePaymentResponse, StoreOrder } from '#proto/client/dashboard.ts';

interface StartedLinkProps {
  readonly email: string | null;
  readonly started: InitializePaymentResponse;
  readonly close: () => void;
}

const StartedLink = ({ email, started: { checkout_url: link, expires_at: end }, close }: StartedLinkProps) => {
  const { moment } = useFormats();
  if (link === null) return <p>The customer is asked on the phone. The order is paid once they agree.</p>;
  const copy = (): Promise<void> => navigator.clipboard.writeText(link).then(() => toast('The link is copied.'));
  return (
    <>
      <p>
        Send this link to {email}. It works until {moment(end)}.
      </p>
      <TextField label="Link" value={link} change={() => undefined} />
      <div class="buttons">
        <Button press={close}>Close</Button>
        <Button tone="primary" press={() => void copy()}>
          Copy
        </Button>
      </div>
    </>
  );
};

export const PaymentLink = ({ order, close }: { readonly order: StoreOrder; readonly close: () => void }) => {
  const { money } = useFormats();
  // In the sandbox the built-in providers are simulated, without credentials.
  const methods = useRecord((api) => api.payments.methods.list(), []);
  const list = methods.value?.methods ?? [];
  const [chosen, setChosen] = useState('');
  const [phone, setPhone] = useState('');
  const [started, setStarted] = useState<InitializePaymentResponse | null>(null);
  const write = useWrite();
  const method = list.find(({ provider }) => provider === chosen) ?? list[0];
  const provider = method?.provider ?? '';

  const start = async (): Promise<void> => {
    const answer = await write.run((api) =>
      api.payments.initialize({
        provider,
        amount: order.amount_due,
        currency: order.currency,
        email: order.email,
        order_id: order.id,
        ...(phone.trim() === '' ? {} : { phone }),
      }),
    );
    if (answer) setStarted(answer);
  };

  return (
    <Dialog title={`Payment link for order ${order.order_number}`} close={close} wide>
      {methods.value?.methods.length === 0 && (
        <p>
          No payment provider is connected. <a href={at('settings/payments')}>Connect one in the settings.</a>
        </p>
      )}
      <ProblemNote problem={methods.problem} again={methods.refresh} />
      {started === null ? (
        <form
          class="stack"
          onSubmit={(event) => {
            event.preventDefault();
            void start();
          }}
        >
          <SelectField
            label="Provider"
            value={provider}
            change={setChosen}
            options={list.map(({ provider: value, name }) => ({ value, label: name }))}
          />
          {method?.type === 'push' && (
            <TextField
              label="Phone of the customer"
              type="tel"
              value={phone}
              change={setPhone}
              placeholder="254700000000"
              problem={write.problem?.param === 'phone' ? write.problem.message : undefined}
            />
          )}
          <ProblemNote problem={write.problem} />
          <div class="buttons">
            <Button press={close}>Back</Button>
            <Button submits tone="primary" busy={write.busy} disabled={provider === ''}>
              Make a link over {money(order.amount_due, order.currency)}
            </Button>
          </div>
        </form>
      ) : (
        <StartedLink email={order.email} started={started} close={close} />
      )}
    </Dialog>
  );
};
