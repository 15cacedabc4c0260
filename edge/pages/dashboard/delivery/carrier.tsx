// Carriers: accounts and extensions that give live rates; connected and disconnected.
import { useState } from 'preact/hooks';
import {
  FormSheet,
  ListTable,
  ProblemNote,
  useCan,
  useForm,
  useFormats,
  useList,
  useWrite,
} from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Empty, Note, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { SelectField, TextField } from '#edge/pages/design/field.tsx';
import type { ConnectedProvider } from '#proto/client/dashboard.ts';
import { DeliveryTabs } from './tab.tsx';

const KINDS = [
  { value: 'carrier_account', label: 'An account at a carrier aggregator' },
  { value: 'custom', label: 'An extension of your own' },
] as const;

interface CarrierDraft {
  readonly kind: ConnectedProvider['kind'];
  readonly name: string;
  readonly api_key: string;
  readonly base_url: string;
  readonly url: string;
}

const EMPTY: CarrierDraft = { kind: 'carrier_account', name: '', api_key: '', base_url: '', url: '' };

const Connect = ({ after }: { readonly after: (provider: ConnectedProvider) => void }) => {
  const form = useForm({
    saved: EMPTY,
    save: (api, { kind, name, api_key, base_url, url }) =>
      api.shipping.providers.create(
        kind === 'custom'
          ? { kind, name, url }
          : { kind, name, api_key, ...(base_url.trim() === '' ? {} : { base_url: base_url.trim() }) },
      ),
    done: 'The carrier is connected.',
    after: ({ provider }) => {
      form.reset(EMPTY);
      after(provider);
    },
  });
  const kind = form.field('kind');
  return (
    <Sheet title="Connect a carrier">
      <FormSheet form={form} action="Connect">
        <div class="columns">
          <SelectField
            label="Kind"
            options={KINDS}
            {...kind}
            change={(value) => {
              const chosen = KINDS.find((each) => each.value === value);
              if (chosen) kind.change(chosen.value);
            }}
          />
          <TextField label="Name" required {...form.field('name')} />
          {form.draft.kind === 'carrier_account' ? (
            <>
              <TextField label="API key" type="password" required {...form.field('api_key')} />
              <TextField label="Base URL" type="url" advice="Empty: the usual one." {...form.field('base_url')} />
            </>
          ) : (
            <TextField label="URL" type="url" required {...form.field('url')} />
          )}
        </div>
      </FormSheet>
    </Sheet>
  );
};

interface DisconnectProps {
  readonly provider: ConnectedProvider;
  readonly after: () => void;
}

const Disconnect = ({ provider: { id, name }, after }: DisconnectProps) => {
  const [asked, setAsked] = useState(false);
  const write = useWrite();
  const confirm = async (): Promise<void> => {
    const answer = await write.run((api) => api.shipping.providers.delete({ id }), {
      done: `${name} is disconnected.`,
    });
    if (answer) after();
  };
  return (
    <>
      <Button press={() => setAsked(true)}>
        Disconnect<span class="unseen"> {name}</span>
      </Button>
      {asked && (
        <Confirm
          title={`Disconnect ${name}?`}
          action="Disconnect"
          busy={write.busy}
          confirm={() => void confirm()}
          close={() => setAsked(false)}
        >
          <p>No rate of it is offered from now on. Its key is deleted.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};

export const Carriers = () => {
  const can = useCan();
  const { date } = useFormats();
  const list = useList((api, page) => api.shipping.providers.list(page), 'providers', []);
  const [connected, setConnected] = useState<ConnectedProvider | null>(null);
  const isEditable = can('shipping:write');
  return (
    <div class="stack delivery">
      <PageHead title="Delivery" />
      <DeliveryTabs />
      {connected?.signing_secret && (
        <Note tone="warn">
          <b>The signing secret of {connected.name} is shown this once.</b>
          <code>{connected.signing_secret}</code>
        </Note>
      )}
      <ListTable
        label="Carriers"
        list={list}
        idOf={({ id }) => id}
        nameOf={({ name }) => name}
        columns={[
          { id: 'name', name: 'Carrier', cell: ({ name }) => name },
          {
            id: 'kind',
            name: 'Kind',
            cell: ({ kind }) => (kind === 'custom' ? 'Extension' : 'Carrier account'),
            desk: true,
          },
          { id: 'url', name: 'Address', cell: ({ url, base_url }) => url ?? base_url ?? '', desk: true },
          { id: 'since', name: 'Since', cell: ({ created_at }) => date(created_at), desk: true },
          {
            id: 'action',
            name: 'Action',
            cell: (provider) => isEditable && <Disconnect provider={provider} after={list.refresh} />,
          },
        ]}
        empty={
          <Empty title="No carrier yet" icon="delivery">
            <p>A carrier's live rates are offered beside your own.</p>
          </Empty>
        }
      />
      {isEditable && (
        <Connect
          after={(provider) => {
            setConnected(provider);
            list.refresh();
          }}
        />
      )}
    </div>
  );
};
