// Tab of connected apps: their scopes and last use, and a button to revoke their access.
import { useState } from 'preact/hooks';
import { scopeLines } from '#edge/pages/scope_wording.ts';
import type { Api } from './api.ts';
import { ActionButton, ItemList, PAGE_SIZE } from './item_list.tsx';
import { type ConsoleAction, momentOf, useAction, usePolling } from './polling.ts';

interface Grant {
  readonly id: string;
  readonly client_id: string;
  readonly client_name: string;
  readonly scopes: readonly string[];
  readonly created_at: string;
  readonly last_used_at: string | null;
}

const POLL_MS = 5_000;

interface GrantProps {
  readonly api: Api;
  readonly work: ConsoleAction;
  readonly grant: Grant;
}

const GrantEntry = ({ api, work, grant }: GrantProps) => {
  const [confirming, setConfirming] = useState(false);
  const { id, client_id, client_name, scopes, created_at, last_used_at } = grant;
  return (
    <details class="grant">
      <summary>
        <b>{client_name}</b> <time>{momentOf(created_at)}</time>
        <span class={`sign ${last_used_at ? 'go' : ''}`}>{last_used_at ? 'in use' : 'not used yet'}</span>
      </summary>
      <p>
        Client <code>{client_id}</code>
      </p>
      <ul>
        {scopeLines(scopes).map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <p class="soft">
        <code>{scopes.join(' ')}</code>
      </p>
      <p>
        Has access since {momentOf(created_at)}. {last_used_at && `Last used at ${momentOf(last_used_at)}.`}
      </p>
      <p class="buttons">
        {confirming ? (
          <ActionButton
            work={work}
            act={() => api.remove(`/v1/connect/grants/${id}`)}
            message={`${client_name} no longer has access.`}
          >
            Revoke it
          </ActionButton>
        ) : (
          <button type="button" class="no" onClick={() => setConfirming(true)}>
            Revoke …
          </button>
        )}
      </p>
    </details>
  );
};

export const Grants = ({ api }: { readonly api: Api }) => {
  const { value, problem, refresh } = usePolling(
    async () => (await api.get(`/v1/connect/grants?limit=${PAGE_SIZE}`)).body.grants as readonly Grant[],
    POLL_MS,
  );
  const work = useAction(refresh);
  return (
    <>
      <p role="status">{problem || work.message}</p>
      <ItemList id="grants" title="Connected apps" none="No app has access to the store.">
        {value?.map((grant) => (
          <GrantEntry key={grant.id} api={api} work={work} grant={grant} />
        ))}
      </ItemList>
    </>
  );
};
