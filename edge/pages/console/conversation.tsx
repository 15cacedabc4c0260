// A conversation with a shopper: messages, reply, close.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { ActionButton, type EntryProps } from './item_list.tsx';
import { momentOf, usePolling } from './polling.ts';

export interface Thread {
  readonly id: string;
  readonly subject: string;
  readonly unread_count: number;
  readonly last_message_at: string;
}

interface Message {
  readonly id: string;
  readonly sender: 'customer' | 'store';
  readonly body: string | null;
  readonly attachments: readonly { readonly url: string; readonly name: string }[];
  readonly read_at: string | null;
  readonly created_at: string;
}

const POLL_MS = 5_000;
const MESSAGES_SHOWN = 20;

const newestMessages = async (api: Api, path: string): Promise<readonly Message[]> => {
  let shown: Message[] = [];
  for (let cursor = '', more = true; more; ) {
    const { body } = await api.get(`${path}/messages?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    shown = [...shown, ...body.messages].slice(-MESSAGES_SHOWN);
    more = body.pagination.has_more;
    cursor = body.pagination.next_cursor;
  }
  return shown;
};

const Messages = ({ api, path }: { readonly api: Api; readonly path: string }) => {
  const { value, problem } = usePolling(() => newestMessages(api, path), POLL_MS);
  if (value === null) return <p class="soft">{problem || 'One moment …'}</p>;
  return (
    <ul class="bare lined">
      {value.map(({ id, sender, body, attachments, read_at, created_at }) => (
        <li key={id}>
          <b>{sender === 'customer' ? 'Shopper' : 'Store'}</b> <time>{momentOf(created_at)}</time>
          {sender === 'customer' && read_at === null && body !== null && <span class="sign warn">new</span>}
          <div class="said">{body ?? 'Withdrawn.'}</div>
          {attachments.map(({ url, name }) => (
            <a key={url} href={url} target="_blank" rel="noopener noreferrer">
              {name}
            </a>
          ))}
        </li>
      ))}
    </ul>
  );
};

export const ThreadEntry = ({ api, work, item }: EntryProps<Thread>) => {
  const [open, setOpen] = useState(false);
  const [body, setBody] = useState('');
  const path = `/v1/messaging/threads/${item.id}`;
  const read = (): Promise<unknown> => api.post(`${path}/read`, {});
  const answer = async (): Promise<string> => {
    await api.post(`${path}/messages`, { body });
    await read();
    setBody('');
    return 'The answer is sent.';
  };
  return (
    <details class="thread" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <b>{item.subject}</b> <time>{momentOf(item.last_message_at)}</time>
        <span class="sign warn">{item.unread_count} unread</span>
      </summary>
      {open && <Messages api={api} path={path} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void work.run(answer);
        }}
      >
        <label>
          Answer
          <textarea name="answer" value={body} onInput={({ currentTarget }) => setBody(currentTarget.value)} />
        </label>
        <button type="submit" disabled={work.busy || body.trim() === ''}>
          Send
        </button>
      </form>
      <p class="buttons">
        <ActionButton work={work} act={read} message="The conversation is marked as read.">
          Mark as read
        </ActionButton>
        <ActionButton
          work={work}
          act={async () => {
            await api.patch(path, { status: 'closed' });
            await read();
          }}
          message="The conversation is closed."
        >
          Close it
        </ActionButton>
      </p>
    </details>
  );
};
