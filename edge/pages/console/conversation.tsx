// A conversation with a shopper: what was said, the merchant's answer, and closing it.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { momentOf, useLive } from './live.ts';
import { type EntryProps, Step } from './pile.tsx';

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

const LOOK_MS = 5_000;
/** What of a long conversation is shown: its end. */
const SHOWN = 20;

const lastOf = async (api: Api, path: string): Promise<readonly Message[]> => {
  let shown: Message[] = [];
  for (let cursor = '', more = true; more; ) {
    const { body } = await api.get(`${path}/messages?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    shown = [...shown, ...body.messages].slice(-SHOWN);
    more = body.pagination.has_more;
    cursor = body.pagination.next_cursor;
  }
  return shown;
};

const Messages = ({ api, path }: { readonly api: Api; readonly path: string }) => {
  const { value, problem } = useLive(() => lastOf(api, path), LOOK_MS);
  if (value === null) return <p class="soft">{problem || 'One moment …'}</p>;
  return (
    <ul class="bare lined">
      {value.map(({ id, sender, body, attachments, read_at, created_at }) => (
        <li key={id}>
          <b>{sender === 'customer' ? 'Shopper' : 'Store'}</b> <time>{momentOf(created_at)}</time>
          {sender === 'customer' && read_at === null && body !== null && <span class="sign warn">new</span>}
          <div class="said">{body ?? 'Taken back.'}</div>
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

export const ThreadEntry = ({ api, work, given }: EntryProps<Thread>) => {
  const [open, setOpen] = useState(false);
  const [body, setBody] = useState('');
  const path = `/v1/messaging/threads/${given.id}`;
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
        <b>{given.subject}</b> <time>{momentOf(given.last_message_at)}</time>
        <span class="sign warn">{given.unread_count} unread</span>
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
        <Step work={work} act={read} told="The conversation is read.">
          Mark as read
        </Step>
        <Step
          work={work}
          act={async () => {
            await api.patch(path, { status: 'closed' });
            await read();
          }}
          told="The conversation is closed."
        >
          Close it
        </Step>
      </p>
    </details>
  );
};
