// Password, second factor and sessions of the signed-in person.

import { FormSheet, useForm } from '#edge/pages/dashboard/form.tsx';
import { ProblemNote, useDashboard, useFormats, useRecord, useWrite, WhenLoaded } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Badge, Empty, Facts, PageHead, Sheet } from '#edge/pages/design/display.tsx';
import { TextField } from '#edge/pages/design/field.tsx';
import { Table } from '#edge/pages/design/table.tsx';
import { SecondFactor } from './second_factor.tsx';

const EMPTY = { current_password: '', new_password: '' };

const Password = ({ email }: { readonly email: string }) => {
  const form = useForm({
    saved: EMPTY,
    save: (api, draft) =>
      api.staff.session.password.change({
        new_password: draft.new_password,
        ...(draft.current_password === '' ? {} : { current_password: draft.current_password }),
      }),
    done: 'The password is changed. Other sessions have ended.',
    after: () => form.reset(EMPTY),
  });
  return (
    <Sheet title="Password">
      <FormSheet form={form} action="Change the password">
        {/* Tells password managers whose password it is. */}
        <input class="unseen" type="text" autocomplete="username" value={email} readOnly hidden />
        <TextField
          label="Current password"
          type="password"
          autocomplete="current-password"
          advice="Not needed in a session that began with a mailed link."
          {...form.field('current_password')}
        />
        <TextField
          label="New password"
          type="password"
          autocomplete="new-password"
          advice="At least ten characters."
          {...form.field('new_password')}
        />
      </FormSheet>
    </Sheet>
  );
};

const Sessions = () => {
  const { moment } = useFormats();
  const sessions = useRecord((api) => api.staff.sessions.list(), []);
  const write = useWrite();
  const end = async (id: string): Promise<void> => {
    await write.run((api) => api.staff.sessions.delete({ id }), { done: 'The session has ended.' });
    sessions.refresh();
  };
  return (
    <>
      <h2>Sessions</h2>
      <ProblemNote problem={write.problem} />
      <WhenLoaded loaded={sessions}>
        {({ sessions: rows }) => (
          <Sheet flush>
            <Table
              label="Sessions"
              rows={rows}
              idOf={({ id }) => id}
              columns={[
                { id: 'network', name: 'Address', cell: ({ network }) => network },
                { id: 'agent', name: 'Browser', desk: true, cell: ({ user_agent: agent }) => agent ?? '–' },
                { id: 'used', name: 'Last used', cell: ({ last_used_at: used }) => moment(used) },
                {
                  id: 'end',
                  name: 'Action',
                  cell: ({ id, is_current: isCurrent }) =>
                    isCurrent ? <Badge tone="go">this one</Badge> : <Button press={() => void end(id)}>End</Button>,
                },
              ]}
            />
          </Sheet>
        )}
      </WhenLoaded>
    </>
  );
};

export const AccountScreen = () => {
  const { session } = useDashboard();
  const { staff } = session;
  if (!staff)
    return (
      <>
        <PageHead title="Account" />
        <Empty title="A key has no account">
          <p>Sign in with an address and a password.</p>
        </Empty>
      </>
    );
  return (
    <>
      <PageHead title="Account" badge={<Badge>{staff.role}</Badge>} />
      <Sheet>
        <Facts
          facts={[
            ['Name', staff.name ?? '–'],
            ['Address', staff.email],
          ]}
        />
      </Sheet>
      <div class="columns">
        <Password email={staff.email} />
        <SecondFactor hasTotp={staff.has_totp} />
      </div>
      <Sessions />
    </>
  );
};
