// Apps that the store gave access to: their scopes, since when, their last use, and how to revoke the access. For owners.
import { useState } from 'preact/hooks';
import { ListTable, ProblemNote, useFormats, useList, useWrite } from '#edge/pages/dashboard/page.ts';
import { Button } from '#edge/pages/design/button.tsx';
import { Confirm } from '#edge/pages/design/dialog.tsx';
import { Empty } from '#edge/pages/design/display.tsx';
import { scopeLines } from '#edge/pages/scope_wording.ts';
import type { ConnectGrant } from '#proto/client/dashboard.ts';
import { SettingsHead } from './head.tsx';

export const Apps = () => {
  const { moment } = useFormats();
  const list = useList((api, page) => api.connect.grants.list(page), 'grants', []);
  const [revoked, setRevoked] = useState<ConnectGrant | null>(null);
  const write = useWrite();
  const revoke = async ({ id, client_name }: ConnectGrant): Promise<void> => {
    const gone = await write.run((api) => api.connect.grants.delete({ id }), {
      done: `${client_name} has no access any longer.`,
    });
    if (!gone) return;
    setRevoked(null);
    list.refresh();
  };
  return (
    <>
      <SettingsHead title="Apps" />
      <ListTable<ConnectGrant>
        label="Apps"
        list={list}
        idOf={({ id }) => id}
        nameOf={({ client_name }) => client_name}
        empty={
          <Empty title="No app has access" icon="setting">
            <p>An app asks for access on a page of its own, and is listed here once you allow it.</p>
          </Empty>
        }
        columns={[
          {
            id: 'name',
            name: 'App',
            cell: ({ client_name, client_id }) => (
              <>
                {client_name}
                <div class="soft">{client_id}</div>
              </>
            ),
          },
          {
            id: 'scopes',
            name: 'May',
            cell: ({ scopes }) => (
              <ul class="bare">
                {scopeLines(scopes).map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            ),
          },
          { id: 'since', name: 'Since', desk: true, cell: ({ created_at }) => moment(created_at) },
          {
            id: 'used',
            name: 'Last used',
            desk: true,
            cell: ({ last_used_at }) => (last_used_at ? moment(last_used_at) : 'Never'),
          },
          {
            id: 'action',
            name: 'Actions',
            cell: (grant) => (
              <Button press={() => setRevoked(grant)}>
                Revoke<span class="unseen"> the access of {grant.client_name}</span>
              </Button>
            ),
          },
        ]}
      />
      {revoked && (
        <Confirm
          title={`Revoke the access of ${revoked.client_name}?`}
          action="Revoke"
          busy={write.busy}
          confirm={() => void revoke(revoked)}
          close={() => {
            write.clear();
            setRevoked(null);
          }}
        >
          <p>Its tokens open nothing from now on. The app can ask for access again.</p>
          <ProblemNote problem={write.problem} />
        </Confirm>
      )}
    </>
  );
};
