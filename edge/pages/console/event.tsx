// The log of events, what became of each at every endpoint, and how to have one sent again.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { momentOf, useLive } from './live.ts';

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

const LOOK_MS = 5_000;
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
  const [told, setTold] = useState('');
  const { value, problem, again } = useLive(async () => {
    const filter = type === '' ? '' : `&type=${encodeURIComponent(type)}`;
    const { body } = await api.get(`/v1/webhook-events?limit=50${filter}`);
    return body.webhook_events as Event[];
  }, LOOK_MS);

  const send = async (path: string, body: object, what: string): Promise<void> => {
    try {
      await api.post(path, body);
      setTold(what);
    } catch (refused) {
      setTold((refused as Error).message);
    }
    again();
  };

  return (
    <>
      <label>
        Type
        <input
          value={type}
          placeholder="order.created"
          onInput={({ currentTarget }) => setType(currentTarget.value.trim())}
          onChange={again}
        />
      </label>
      <p role="status">{problem || told}</p>
      {value?.length === 0 && <p>Nothing has happened yet.</p>}
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
              <p>No endpoint hears of it.</p>
            ) : (
              <Deliveries deliveries={event.deliveries} />
            )}
            <p class="buttons">
              {event.deliveries.some(({ status }) => status !== 'delivered') && (
                <button
                  type="button"
                  onClick={() => send(`/v1/webhook-events/${event.id}/retry`, {}, 'It is tried again.')}
                >
                  Retry
                </button>
              )}
              {api.isTest && (
                <button
                  type="button"
                  onClick={() => send('/v1/sandbox/webhooks/replay', { event_id: event.id }, 'It is sent again.')}
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
