// Payment providers: connected with their credentials, which no answer repeats, and disconnected.
import { useState } from 'preact/hooks';
import {
  FormSheet,
  ListTable,
  ProblemNote,
  useCan,
  useDashboard,
  useForm,
  useFormats,
  useList,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { Empty } from '#edge/pages/design/display.tsx';
import { SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { DashboardApi, PaymentProvider } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

interface ProviderKind {
  readonly value: string;
  readonly label: string;
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

const KINDS: readonly ProviderKind[] = [
  { value: 'card_checkout', label: 'Card', required: ['secret_key', 'webhook_secret'], optional: [] },
  { value: 'wallet', label: 'Wallet', required: ['client_id', 'client_secret'], optional: ['webhook_id'] },
  { value: 'bank_africa', label: 'Bank and card, Africa', required: ['secret_key'], optional: [] },
  {
    value: 'mobile_money',
    label: 'Mobile money',
    required: ['consumer_key', 'consumer_secret', 'shortcode', 'passkey'],
    optional: ['initiator_name', 'security_credential'],
  },
];

const wordsOf = (name: string): string => {
  const text = name.replaceAll('_', ' ');
  return text.charAt(0).toUpperCase() + text.slice(1);
};

type Providers = DashboardApi['payments']['providers'] | DashboardApi['marketplace']['paymentProviders'];

/** Providers of the store; for a marketplace operator those that take payments of group orders. */
const useProviders = (): ((api: DashboardApi) => Providers) => {
  const { session } = useDashboard();
  return (api) => (session.operator ? api.marketplace.paymentProviders : api.payments.providers);
};

const ConnectDialog = ({ close, connected }: { readonly close: () => void; readonly connected: () => void }) => {
  const providersOf = useProviders();
  const form = useForm({
    saved: { provider: KINDS[0]!.value, credentials: {} as Readonly<Record<string, string>> },
    save: (api, { provider, credentials }) =>
      providersOf(api).connect({
        provider,
        credentials: Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== '')),
      }),
    done: 'The provider is connected.',
    after: connected,
  });
  const { provider, credentials } = form.draft;
  const kind = KINDS.find(({ value }) => value === provider)!;
  return (
    <Dialog title="Connect a payment provider" close={close} wide>
      <FormSheet form={form} action="Connect">
        <SelectField
          label="Provider"
          options={KINDS}
          {...form.field('provider')}
          change={(value) => form.set({ provider: value, credentials: {} })}
        />
        {[...kind.required, ...kind.optional].map((name) => (
          <TextField
            key={name}
            label={`${wordsOf(name)}${kind.optional.includes(name) ? ' (optional)' : ''}`}
            type="password"
            value={credentials[name] ?? ''}
            change={(value) => form.set({ credentials: { ...credentials, [name]: value } })}
          />
        ))}
      </FormSheet>
    </Dialog>
  );
};

export const PaymentProviders = () => {
  const can = useCan();
  const { moment } = useFormats();
  const providersOf = useProviders();
  const list = useList((api, page) => providersOf(api).list(page), 'providers', []);
  const [connects, setConnects] = useState(false);
  const [removed, setRemoved] = useState<PaymentProvider | null>(null);
  const write = useWrite();
  const disconnect = async (): Promise<void> => {
    const gone = await write.run((api) => providersOf(api).disconnect({ id: removed!.id }), {
      done: 'The provider is disconnected.',
    });
    if (!gone) return;
    setRemoved(null);
    list.refresh();
  };
  return (
    <>
      <SettingsHead title="Payment providers">
        {can('payments:write') && (
          <Button tone="primary" icon="add" press={() => setConnects(true)}>
            Connect
          </Button>
        )}
      </SettingsHead>
      <ListTable<PaymentProvider>
        label="Payment providers"
        list={list}
        idOf={({ id }) => id}
        empty={
          <Empty title="No payment provider yet" icon="figure">
            <p>Connect one so that shoppers can pay. In the sandbox every provider is simulated.</p>
          </Empty>
        }
        columns={[
          { id: 'name', name: 'Provider', cell: ({ name }) => name },
          {
            id: 'callback',
            name: 'Callback path',
            cell: ({ callback_path }) => <code>{callback_path}</code>,
            desk: true,
          },
          { id: 'at', name: 'Connected', cell: ({ created_at }) => moment(created_at), desk: true },
          {
            id: 'action',
            name: 'Actions',
            cell: (provider) => can('payments:write') && <Button press={() => setRemoved(provider)}>Disconnect</Button>,
          },
        ]}
      />
      {connects && (
        <ConnectDialog
          close={() => setConnects(false)}
          connected={() => {
            setConnects(false);
            list.refresh();
          }}
        />
      )}
      {removed && (
        <Confirm
          title={`Disconnect ${removed.name}?`}
          action="Disconnect"
          busy={write.busy}
          confirm={() => void disconnect()}
          close={() => setRemoved(null)}
        >
          <p>No new payment starts with it. Payments in progress are still settled.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};
