// Keys of the store's programs: made, restricted, rolled with an overlap, revoked. For owners.
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
import { Badge, Empty } from '#edge/pages/design/display.tsx';
import { CheckField, NumberField, SelectField, TextField } from '#edge/pages/design/field.tsx';
import { Menu } from '#edge/pages/design/menu.tsx';
import type { ApiKey, CreateKeyRequest } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

const RESOURCES = [
  'catalog',
  'orders',
  'customers',
  'payments',
  'promotions',
  'shipping',
  'content',
  'reviews',
  'returns',
  'messaging',
  'b2b',
  'webhooks',
  'store',
  'ingestion',
] as const;

const TYPES = [
  { value: 'secret', label: 'Secret: for your servers' },
  { value: 'publishable', label: 'Publishable: for shops in a browser' },
];

/** The texts of a key, which no later answer repeats. */
const SecretDialog = ({ made, close }: { readonly made: ApiKey; readonly close: () => void }) => (
  <Dialog title={`Key ${made.name}`} close={close} wide>
    <p>Copy the key now. It is not shown again.</p>
    <TextField label="Key" value={made.secret ?? ''} change={() => undefined} />
    {made.hmac_secret && (
      <TextField
        label="Signing secret"
        value={made.hmac_secret}
        change={() => undefined}
        advice="Signs orders and other writes that are sent with this key."
      />
    )}
    <div class="buttons">
      <Button tone="primary" press={close}>
        I have copied it
      </Button>
    </div>
  </Dialog>
);

interface MadeProps {
  readonly close: () => void;
  readonly made: (key: ApiKey) => void;
}

const CreateDialog = ({ close, made }: MadeProps) => {
  const { environment } = useDashboard();
  const form = useForm({
    saved: { name: '', type: 'secret' as string, scopes: [] as readonly string[] },
    save: (api, { name, type, scopes }) =>
      api.keys.create({
        name,
        type: type as CreateKeyRequest['type'],
        environment,
        ...(type === 'secret' && scopes.length > 0 ? { scopes } : {}),
      }),
    after: ({ key }) => made(key),
  });
  const { scopes, type } = form.draft;
  const toggle = (scope: string): void =>
    form.set({ scopes: scopes.includes(scope) ? scopes.filter((each) => each !== scope) : [...scopes, scope] });
  return (
    <Dialog title={`New key of ${environment}`} close={close} wide>
      <FormSheet form={form} action="Create the key">
        <TextField label="Name" placeholder="Warehouse" {...form.field('name')} />
        <SelectField label="Type" options={TYPES} {...form.field('type')} />
        {type === 'secret' && (
          <fieldset class="stack">
            <legend>Scopes. A key without one is a full key.</legend>
            {RESOURCES.map((resource) => (
              <div key={resource} class="row">
                {['read', 'write'].map((verb) => (
                  <CheckField
                    key={verb}
                    label={`${resource}:${verb}`}
                    value={scopes.includes(`${resource}:${verb}`)}
                    change={() => toggle(`${resource}:${verb}`)}
                  />
                ))}
              </div>
            ))}
          </fieldset>
        )}
      </FormSheet>
    </Dialog>
  );
};

const RollDialog = ({ rolled, close, made }: MadeProps & { readonly rolled: ApiKey }) => {
  const form = useForm({
    saved: { overlap_hours: 24 as number | null },
    save: (api, { overlap_hours }) => api.keys.roll({ id: rolled.id, overlap_hours: overlap_hours ?? 0 }),
    after: ({ key }) => made(key),
  });
  return (
    <Dialog title={`Roll ${rolled.name}`} close={close}>
      <p>A new key takes the place of this one, which works on for the overlap.</p>
      <FormSheet form={form} action="Roll the key">
        <NumberField label="Overlap" unit="hours" min={0} max={168} step={1} {...form.field('overlap_hours')} />
      </FormSheet>
    </Dialog>
  );
};

const RevokeDialog = ({
  revoked,
  close,
  done,
}: {
  readonly revoked: ApiKey;
  readonly close: () => void;
  readonly done: () => void;
}) => {
  const write = useWrite();
  const revoke = async (): Promise<void> => {
    const gone = await write.run((api) => api.keys.delete({ id: revoked.id }), { done: 'The key is revoked.' });
    if (gone) done();
  };
  return (
    <Confirm
      title={`Revoke ${revoked.name}?`}
      action="Revoke the key"
      busy={write.busy}
      confirm={() => void revoke()}
      close={close}
    >
      <p>Every program that uses it is refused from now on.</p>
      <ProblemNote problem={write.problem} />
    </Confirm>
  );
};

type Shown = { readonly kind: 'create' } | { readonly kind: 'roll' | 'revoke' | 'secret'; readonly key: ApiKey } | null;

export const Keys = () => {
  const can = useCan();
  const { environment } = useDashboard();
  const { moment } = useFormats();
  const list = useList((api, page) => api.keys.list({ ...page, environment }), 'keys', []);
  const [shown, show] = useState<Shown>(null);
  const close = (): void => show(null);
  const made = (key: ApiKey): void => {
    show({ kind: 'secret', key });
    list.refresh();
  };
  return (
    <>
      <SettingsHead title="Keys">
        {can('') && (
          <Button tone="primary" icon="add" press={() => show({ kind: 'create' })}>
            New key
          </Button>
        )}
      </SettingsHead>
      <ListTable<ApiKey>
        label="Keys"
        list={list}
        idOf={({ id }) => id}
        empty={<Empty title="No key yet" icon="setting" />}
        columns={[
          {
            id: 'name',
            name: 'Key',
            cell: ({ name, prefix, last_four }) => (
              <>
                {name}
                <div class="soft">
                  {prefix}…{last_four}
                </div>
              </>
            ),
          },
          {
            id: 'scopes',
            name: 'Opens',
            desk: true,
            cell: ({ type, scopes }) => (scopes ? scopes.join(', ') : `All of a ${type} key`),
          },
          {
            id: 'used',
            name: 'Last used',
            desk: true,
            cell: ({ last_used_at, last_used_address }) =>
              last_used_at
                ? `${moment(last_used_at)}${last_used_address ? ` from ${last_used_address}` : ''}`
                : 'Never',
          },
          {
            id: 'status',
            name: 'Status',
            cell: ({ revoked, expires_at }) =>
              revoked ? (
                <Badge tone="no">Ended</Badge>
              ) : expires_at ? (
                <Badge tone="warn">Ends {moment(expires_at)}</Badge>
              ) : (
                <Badge tone="go">Works</Badge>
              ),
          },
          {
            id: 'action',
            name: 'Actions',
            cell: (key) =>
              !key.revoked && (
                <Menu
                  label="Actions"
                  items={[
                    { label: 'Roll', press: () => show({ kind: 'roll', key }) },
                    { label: 'Revoke', press: () => show({ kind: 'revoke', key }) },
                  ]}
                />
              ),
          },
        ]}
      />
      {shown?.kind === 'create' && <CreateDialog close={close} made={made} />}
      {shown?.kind === 'roll' && <RollDialog rolled={shown.key} close={close} made={made} />}
      {shown?.kind === 'secret' && <SecretDialog made={shown.key} close={close} />}
      {shown?.kind === 'revoke' && (
        <RevokeDialog
          revoked={shown.key}
          close={close}
          done={() => {
            close();
            list.refresh();
          }}
        />
      )}
    </>
  );
};
