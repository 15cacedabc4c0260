// Tab of sales channels: their state and rejected products, and buttons to pause, resume and push the whole catalogue.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { ActionButton, ItemList, PAGE_SIZE } from './item_list.tsx';
import { type ConsoleAction, momentOf, useAction, usePolling } from './polling.ts';

interface Channel {
  readonly id: string;
  readonly provider: string;
  readonly name: string;
  readonly url: string;
  readonly format: string;
  readonly status: 'connected' | 'failing' | 'paused';
  readonly last_sync_at: string | null;
  readonly last_error: string | null;
  readonly items_total: number;
  readonly items_pushed: number;
  readonly items_rejected: number;
}

interface Rejection {
  readonly product_id: string;
  readonly message: string;
  readonly rejected_at: string;
  readonly name: string | null;
}

const POLL_MS = 5_000;
const TONES = { connected: 'go', failing: 'no', paused: 'warn' } as const;

const rejectionsOf = async (api: Api, id: string): Promise<readonly Rejection[]> => {
  const { body } = await api.get(`/v1/channels/${id}/rejections?limit=${PAGE_SIZE}`);
  const rejections = body.rejections as readonly Omit<Rejection, 'name'>[];
  if (rejections.length === 0) return [];
  const ids = rejections.map(({ product_id }) => product_id).join(',');
  const found = (await api.get(`/v1/products?ids=${ids}&fields=id,name&limit=100`)).body.products;
  const names = new Map<string, string>(found.map(({ id, name }: { id: string; name: string }) => [id, name]));
  return rejections.map((rejection) => ({ ...rejection, name: names.get(rejection.product_id) ?? null }));
};

interface ChannelProps {
  readonly api: Api;
  readonly work: ConsoleAction;
  readonly channel: Channel;
}

const Rejections = ({ api, id }: { readonly api: Api; readonly id: string }) => {
  const { value, problem } = usePolling(() => rejectionsOf(api, id), POLL_MS);
  if (value === null) return <p class="soft">{problem || 'One moment …'}</p>;
  if (value.length === 0) return <p class="soft">The channel rejected no product.</p>;
  return (
    <>
      <h3>Rejected{value.length === PAGE_SIZE && `, the newest ${PAGE_SIZE}`}</h3>
      <ul class="bare lined rejections">
        {value.map(({ product_id, name, message, rejected_at }) => (
          <li key={product_id}>
            <b>{name ?? <code>{product_id}</code>}</b>: {message} <time>{momentOf(rejected_at)}</time>
          </li>
        ))}
      </ul>
    </>
  );
};

const ChannelEntry = ({ api, work, channel }: ChannelProps) => {
  const [open, setOpen] = useState(false);
  const { id, provider, name, url, format, status, last_sync_at, last_error } = channel;
  const path = `/v1/channels/${id}`;
  return (
    <details class="channel" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b>{name}</b> <time>{last_sync_at ? momentOf(last_sync_at) : 'never synced'}</time>
        <span class={`sign ${TONES[status]}`}>{status}</span>
      </summary>
      <p>
        {provider}, format {format}, <code>{url}</code>
      </p>
      {last_error && <p class="no">{last_error}</p>}
      <p class="counts">
        Last sync: {channel.items_total.toLocaleString()} items, {channel.items_pushed.toLocaleString()} accepted,{' '}
        {channel.items_rejected.toLocaleString()} rejected.
      </p>
      <p class="buttons">
        {status === 'paused' ? (
          <ActionButton
            work={work}
            act={() => api.patch(path, { status: 'connected' })}
            message={`${name} is resumed.`}
          >
            Resume
          </ActionButton>
        ) : (
          <ActionButton work={work} act={() => api.patch(path, { status: 'paused' })} message={`${name} is paused.`}>
            Pause
          </ActionButton>
        )}
        {status === 'failing' && (
          <ActionButton
            work={work}
            act={() => api.patch(path, { status: 'connected' })}
            message={`${name} is being retried.`}
          >
            Try again now
          </ActionButton>
        )}
        <ActionButton
          work={work}
          act={() => api.post(`${path}/sync`, {})}
          message={
            status === 'paused'
              ? `${name} receives the whole catalogue when it is resumed.`
              : `The whole catalogue is sent to ${name} again.`
          }
        >
          Push everything
        </ActionButton>
      </p>
      {open && <Rejections api={api} id={id} />}
    </details>
  );
};

export const Channels = ({ api }: { readonly api: Api }) => {
  const { value, problem, refresh } = usePolling(
    async () => (await api.get(`/v1/channels?limit=${PAGE_SIZE}`)).body.channels as readonly Channel[],
    POLL_MS,
  );
  const work = useAction(refresh);
  return (
    <>
      <p role="status">{problem || work.message}</p>
      <ItemList id="channels" title="Sales channels" none="The store has no sales channel.">
        {value?.map((channel) => (
          <ChannelEntry key={channel.id} api={api} work={work} channel={channel} />
        ))}
      </ItemList>
    </>
  );
};
