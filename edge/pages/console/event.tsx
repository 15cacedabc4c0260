// Tab of the event log: each event with its deliveries, and buttons to retry and replay them.
import { useEffect, useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { momentOf, useAction, usePolling } from './polling.ts';

interface Attempt {
  readonly attempted_at: string;
  readonly response_status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
}

interface Delivery {
  readonly endpoint_id: string;
  readonly status: 'pending' | 'retrying' | 'delivered' | 'dead_lettered';
  readonly attempts: number;
  readonly response_status: number | null;
  readonly next_attempt_at: string | null;
  readonly attempt_log: readonly Attempt[];
}

interface Event {
  readonly id: string;
  readonly type: string;
  readonly created_at: string;
  readonly data: object;
  readonly previous_attributes?: object;
  readonly deliveries: readonly Delivery[];
}

const POLL_MS = 5_000;
const SHOWN_MAX = 50;
/** Maximum number of pages of the log that are searched for deliveries with the chosen status. */
const PAGES_MAX = 10;
const FILTERS = [
  ['', 'all'],
  ['pending', 'pending'],
  ['retrying', 'retrying'],
  ['delivered', 'delivered'],
  ['dead_lettered', 'dead lettered'],
] as const;

const readEvents = async (api: Api, type: string, status: string): Promise<Event[]> => {
  const filter = type === '' ? '' : `&type=${encodeURIComponent(type)}`;
  const found: Event[] = [];
  let cursor = '';
  for (let page = 0; page < (status === '' ? 1 : PAGES_MAX) && found.length < SHOWN_MAX; page++) {
    const from = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await api.get(`/v1/webhook-events?limit=${status === '' ? SHOWN_MAX : 100}${filter}${from}`);
    const events = body.webhook_events as Event[];
    found.push(...events.filter(({ deliveries }) => status === '' || deliveries.some((one) => one.status === status)));
    if (!body.pagination.has_more) break;
    cursor = body.pagination.next_cursor;
  }
  return found.slice(0, SHOWN_MAX);
};

const isOpen = ({ deliveries }: Event): boolean => deliveries.some(({ status }) => status !== 'delivered');
const TONES = { pending: '', retrying: 'warn', delivered: 'go', dead_lettered: 'no' } as const;

const Deliveries = ({ deliveries }: { readonly deliveries: readonly Delivery[] }) => (
  <ul>
    {deliveries.map(({ endpoint_id, status, attempts, next_attempt_at, attempt_log }) => (
      <li key={endpoint_id}>
        <b class={TONES[status]}>{status.replace('_', ' ')}</b> after {attempts}{' '}
        {attempts === 1 ? 'attempt' : 'attempts'} at <code>{endpoint_id}</code>
        {next_attempt_at && `, next at ${momentOf(next_attempt_at)}`}
        <ol>
          {attempt_log.map(({ attempted_at, response_status, error, duration_ms }) => (
            <li key={attempted_at}>
              {momentOf(attempted_at)}: {response_status ?? error ?? 'no answer'} in {duration_ms} ms
            </li>
          ))}
        </ol>
      </li>
    ))}
  </ul>
);

export const Events = ({ api }: { readonly api: Api }) => {
  const [type, setType] = useState('');
  const [status, setStatus] = useState('');
  const { value, problem, refresh } = usePolling(() => readEvents(api, type, status), POLL_MS);
  const work = useAction(refresh);
  useEffect(refresh, [type, status]);

  const send = (path: string, body: object, what: string): Promise<void> =>
    work.run(async () => {
      await api.post(path, body);
      return what;
    });
  const open = status === '' ? [] : (value ?? []).filter(isOpen);
  const retryAll = (): Promise<void> =>
    work.run(async () => {
      for (const { id } of open) await api.post(`/v1/webhook-events/${id}/retry`, {});
      return `${open.length} ${open.length === 1 ? 'event is' : 'events are'} tried again.`;
    });

  return (
    <>
      <label>
        Type
        <input
          placeholder="order.created"
          // Filters when the input loses focus (`change`), not while typing: a half-typed event type matches nothing.
          onChange={({ currentTarget }) => setType(currentTarget.value.trim())}
        />
      </label>
      <label>
        Delivery
        <select id="delivery" value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value)}>
          {FILTERS.map(([one, name]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {open.length > 0 && (
        <button type="button" disabled={work.busy} onClick={() => void retryAll()}>
          Retry all that are shown
        </button>
      )}
      <p role="status">{problem || work.message}</p>
      {value?.length === 0 && (
        <p id="none">
          {type === '' && status === '' ? 'The store has no events yet.' : 'No event matches this filter.'}
        </p>
      )}
      <div id="events">
        {value?.map((event) => (
          <details key={event.id}>
            <summary>
              <b>{event.type}</b> <time>{momentOf(event.created_at)}</time>
              {event.deliveries.map(({ endpoint_id, status }) => (
                <span key={endpoint_id} class={`sign ${TONES[status]}`}>
                  {status.replace('_', ' ')}
                </span>
              ))}
            </summary>
            <p>
              <code>{event.id}</code>
            </p>
            {event.deliveries.length === 0 ? (
              <p>No endpoint subscribes to this event.</p>
            ) : (
              <Deliveries deliveries={event.deliveries} />
            )}
            <p class="buttons">
              {isOpen(event) && (
                <button
                  type="button"
                  onClick={() => send(`/v1/webhook-events/${event.id}/retry`, {}, 'The delivery is retried.')}
                >
                  Retry
                </button>
              )}
              {api.isTest && (
                <button
                  type="button"
                  onClick={() =>
                    send('/v1/sandbox/webhooks/replay', { event_id: event.id }, 'The event is sent again.')
                  }
                >
                  Replay
                </button>
              )}
            </p>
            <pre>{JSON.stringify({ ...event, deliveries: undefined }, null, 2)}</pre>
          </details>
        ))}
      </div>
    </>
  );
};
