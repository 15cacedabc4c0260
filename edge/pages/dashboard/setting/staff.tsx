// People of the store: their roles, invitations and removal. For owners.
import { useState } from 'preact/hooks';
import {
  FormSheet,
  ProblemNote,
  useCan,
  useForm,
  useFormats,
  useRecord,
  useWrite,
  WhenLoaded,
} from '#edge/pages/dashboard/page.ts';
import { words } from '#edge/pages/dashboard/status.tsx';
import { Button, IconButton } from '#edge/pages/design/button.tsx';
import { Confirm, Dialog } from '#edge/pages/design/dialog.tsx';
import { Sheet } from '#edge/pages/design/display.tsx';
import { SelectField, TextField } from '#edge/pages/design/field.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import { toast } from '#edge/pages/design/toast.tsx';
import type { StaffMember } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

type Role = StaffMember['role'];

const ROLES: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'owner', label: 'Owner: everything, people and keys too' },
  { value: 'manager', label: 'Manager: everything but people and keys' },
  { value: 'catalogue', label: 'Catalogue: products, stock, prices and content' },
  { value: 'orders', label: 'Orders: orders, payments, delivery and returns' },
  { value: 'support', label: 'Support: customers, returns, reviews and messages' },
  { value: 'analyst', label: 'Analyst: reads, and changes nothing' },
];

const InviteDialog = ({ close, invited }: { readonly close: () => void; readonly invited: () => void }) => {
  const [link, setLink] = useState('');
  const form = useForm({
    saved: { email: '', name: '', role: 'orders' as string },
    save: (api, { email, name, role }) =>
      api.staff.invitations.create({ email, role: role as Role, ...(name.trim() === '' ? {} : { name }) }),
    after: (answer) => {
      setLink(answer.link);
      invited();
    },
  });
  if (link !== '')
    return (
      <Dialog title="The invitation is sent" close={close} wide>
        <p>A mail with this link is on its way to {form.draft.email}. You can hand the link over yourself, too.</p>
        <TextField label="Link" value={link} change={() => undefined} />
        <div class="buttons">
          <Button press={() => void navigator.clipboard.writeText(link).then(() => toast('The link is copied.'))}>
            Copy
          </Button>
          <Button tone="primary" press={close}>
            Close
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="Invite a person" close={close} wide>
      <FormSheet form={form} action="Send the invitation">
        <TextField label="E-mail" type="email" {...form.field('email')} />
        <TextField label="Name" {...form.field('name')} />
        <SelectField label="Role" options={ROLES} {...form.field('role')} />
      </FormSheet>
    </Dialog>
  );
};

const Members = () => {
  const { moment } = useFormats();
  const loaded = useRecord((api) => api.staff.list(), []);
  const write = useWrite();
  const [removed, setRemoved] = useState<StaffMember | null>(null);
  const change = async ({ id, role: before, email }: StaffMember, role: Role): Promise<void> => {
    await write.run((api) => api.staff.update({ id, role }), {
      done: `${email} is ${words(role).toLowerCase()} now.`,
      undo: async (api) => {
        await api.staff.update({ id, role: before });
        loaded.refresh();
      },
    });
    loaded.refresh();
  };
  const remove = async (): Promise<void> => {
    const gone = await write.run((api) => api.staff.delete({ id: removed!.id }), { done: 'The person is removed.' });
    if (!gone) return;
    setRemoved(null);
    loaded.refresh();
  };
  return (
    <Sheet title="People" flush>
      <ProblemNote problem={removed ? null : write.problem} />
      <WhenLoaded loaded={loaded}>
        {({ staff }) => (
          <Table
            label="People"
            rows={staff}
            idOf={({ id }) => id}
            columns={[
              {
                id: 'email',
                name: 'Person',
                cell: ({ email, name }) => (
                  <>
                    {name ?? email}
                    {name && <div class="soft">{email}</div>}
                  </>
                ),
              },
              {
                id: 'role',
                name: 'Role',
                cell: (member) => (
                  <select
                    class="input"
                    aria-label={`Role of ${member.email}`}
                    value={member.role}
                    onChange={({ currentTarget }) => void change(member, currentTarget.value as Role)}
                  >
                    {ROLES.map(({ value }) => (
                      <option key={value} value={value}>
                        {words(value)}
                      </option>
                    ))}
                  </select>
                ),
              },
              {
                id: 'factor',
                name: 'Second factor',
                desk: true,
                cell: ({ has_totp }) => (has_totp ? 'Yes' : 'No'),
              },
              {
                id: 'seen',
                name: 'Last signed in',
                desk: true,
                cell: ({ last_signed_in_at }) => (last_signed_in_at ? moment(last_signed_in_at) : 'Never'),
              },
              {
                id: 'remove',
                name: 'Remove',
                cell: (member) => (
                  <IconButton icon="remove" label={`Remove ${member.email}`} press={() => setRemoved(member)} />
                ),
              },
            ]}
          />
        )}
      </WhenLoaded>
      {removed && (
        <Confirm
          title={`Remove ${removed.email}?`}
          action="Remove"
          busy={write.busy}
          confirm={() => void remove()}
          close={() => {
            write.clear();
            setRemoved(null);
          }}
        >
          <p>All sessions of this person end at once. The audit log keeps what they changed.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </Sheet>
  );
};

const Invitations = () => {
  const { moment } = useFormats();
  const loaded = useRecord((api) => api.staff.invitations.list(), []);
  const write = useWrite();
  const revoke = async (id: string): Promise<void> => {
    await write.run((api) => api.staff.invitations.delete({ id }), { done: 'The invitation is revoked.' });
    loaded.refresh();
  };
  if (loaded.value?.invitations.length === 0) return null;
  return (
    <Sheet title="Invitations">
      <ProblemNote problem={write.problem} />
      <WhenLoaded loaded={loaded}>
        {({ invitations }) =>
          invitations.map(({ id, email, role, expires_at }) => (
            <div key={id} class="row between">
              <span>
                {email}{' '}
                <span class="soft">
                  {words(role)}, until {moment(expires_at)}
                </span>
              </span>
              <Button press={() => void revoke(id)}>Revoke</Button>
            </div>
          ))
        }
      </WhenLoaded>
    </Sheet>
  );
};

export const Staff = () => {
  const can = useCan();
  const [shown, setShown] = useState(false);
  const [count, setCount] = useState(0);
  return (
    <>
      <SettingsHead title="Staff">
        {can('') && (
          <Button tone="primary" icon="add" press={() => setShown(true)}>
            Invite
          </Button>
        )}
      </SettingsHead>
      <Members />
      <Invitations key={count} />
      {shown && <InviteDialog close={() => setShown(false)} invited={() => setCount(count + 1)} />}
    </>
  );
};
