// A payment link for a group of orders: one payment over the amount due of all its merchants.
import { useState } from 'preact/hooks';
import { at, ProblemNote, useDashboard, useFormats, useRecord, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Dialog } from '#edge/pages/design/dialog.tsx';
import { type Option, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { CheckoutGroup } from '#proto/client/dashboard.ts';

/** Takes no credentials in the sandbox, where it is simulated. */
const SIMULATED: Option = { value: 'card_checkout', label: 'Card' };

interface GroupPaymentProps {
  readonly group: CheckoutGroup;
  readonly close: () => void;
}

export const GroupPayment = ({ group, close }: GroupPaymentProps) => {
  const { environment } = useDashboard();
  const { money } = useFormats();
  const providers = useRecord((api) => api.marketplace.paymentProviders.list(), []);
  const connected = (providers.value?.providers ?? []).map(({ provider, name }) => ({ value: provider, label: name }));
  const isConnected = connected.some(({ value }) => value === SIMULATED.value);
  const options = environment === 'sandbox' && !isConnected ? [SIMULATED, ...connected] : connected;
  const [chosen, setChosen] = useState('');
  const [link, setLink] = useState('');
  const write = useWrite();
  const provider = options.find(({ value }) => value === chosen)?.value ?? options[0]?.value ?? '';
  const start = async (): Promise<void> => {
    const answer = await write.run((api) => api.cart.checkout.pay({ group_id: group.group_id, provider }));
    if (answer) setLink(answer.checkout_url ?? '');
  };
  const copy = (): Promise<void> => navigator.clipboard.writeText(link).then(() => toast('The link is copied.'));
  return (
    <Dialog title="Payment link" close={close} wide>
      {link === '' ? (
        <>
          {providers.value && options.length === 0 && (
            <p>
              No payment provider is connected. <a href={at('settings/payments')}>Connect one in the settings.</a>
            </p>
          )}
          <SelectField label="Provider" value={provider} change={setChosen} options={options} />
          <ProblemNote problem={providers.problem ?? write.problem} />
          <div class="buttons">
            <Button press={close}>Back</Button>
            <Button tone="primary" busy={write.busy} disabled={provider === ''} press={() => void start()}>
              Make a link over {money(group.amount_due, group.currency)}
            </Button>
          </div>
        </>
      ) : (
        <>
          <p>Send this link to {group.email}. It pays the orders of all merchants at once.</p>
          <TextField label="Link" value={link} change={() => undefined} />
          <div class="buttons">
            <Button press={close}>Close</Button>
            <Button tone="primary" press={() => void copy()}>
              Copy
            </Button>
          </div>
        </>
      )}
    </Dialog>
  );
};
