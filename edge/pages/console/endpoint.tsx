// Tab of webhook endpoints: add, test, enable, disable and delete them, and rotate their secrets.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { type ConsoleAction, useAction, usePolling } from './polling.ts';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly string[];
  readonly enabled: boolean;
}

const POLL_MS = 10_000;

const Secret = ({ text }: { readonly text: string }) => (
  <p id="secret">
    The signing secret, shown this once: <code>{text}</code>
  </p>
);

interface LineProps {
  readonly api: Api;
  readonly endpoint: Endpoint;
  readonly work: ConsoleAction;
  readonly show: (secret: string) => void;
}

const EndpointEntry = ({ api, endpoint, work, show }: LineProps) => {
  const [confirming, setConfirming] = useState(false);
  const { id, url, description, events, enabled } = endpoint;
  const path = `/v1/webhook-endpoints/${id}`;
  const test = async (): Promise<string> => {
    const { body } = await api.post(`${path}/test`, {});
    if (body.success) return `The endpoint accepted the test event with status ${body.status_code}.`;
    return body.status_code === null
      ? 'The endpoint did not answer the test event.'
      : `The endpoint refused the test event with status ${body.status_code}.`;
  };
  const rotate = async (): Promise<string> => {
    const { body } = await api.post(`${path}/rotate-secret`, {});
    show(body.webhook_endpoint.signing_secret);
    return 'The secret is rotated. For 24 hours the former secret signs as well.';
  };
  const toggle = async (): Promise<string> => {
    await api.patch(path, { enabled: !enabled });
    return enabled
      ? 'The endpoint receives no event until it is switched on again.'
      : 'The endpoint receives events from now on.';
  };
  const remove = async (): Promise<string> => {
    await api.remove(path);
    return 'The endpoint is deleted.';
  };
  const button = (name: string, press: () => Promise<string>) => (
    <button type="button" disabled={work.busy} onClick={() => void work.run(press)}>
      {name}
    </button>
  );
  return (
    <li class="sheet">
      <p>
        <code>{url}</code> <span class={`sign ${enabled ? 'go' : ''}`}>{enabled ? 'on' : 'off'}</span>
      </p>
      {description && <p>{description}</p>}
      <p class="soft">{events.includes('*') ? 'every event' : events.join(', ')}</p>
      <p class="buttons">
        {button('Send a test event', test)}
        {button('Rotate the secret', rotate)}
        {button(enabled ? 'Switch off' : 'Switch on', toggle)}
        {confirming ? (
          button('Delete it', remove)
        ) : (
          <button type="button" class="no" onClick={() => setConfirming(true)}>
            Delete …
          </button>
        )}
      </p>
    </li>
  );
};

const AddEndpoint = ({ api, work, show }: Omit<LineProps, 'endpoint'>) => {
  const [url, setUrl] = useState('');
  const [events, setEvents] = useState('*');
  const make = async (): Promise<string> => {
    const names = events.split(/[\s,]+/).filter(Boolean);
    const { body } = await api.post('/v1/webhook-endpoints', { url, events: names });
    show(body.webhook_endpoint.signing_secret);
    setUrl('');
    return 'The endpoint receives events from now on.';
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void work.run(make);
      }}
    >
      <h2>Add an endpoint</h2>
      <label>
        URL
        <input
          id="url"
          value={url}
          placeholder="https://shop.example.com/webhooks"
          onInput={({ currentTarget }) => setUrl(currentTarget.value.trim())}
        />
      </label>
      <label>
        Event types, or * for all
        <input id="types" value={events} onInput={({ currentTarget }) => setEvents(currentTarget.value)} />
      </label>
      <button type="submit" disabled={work.busy || url === ''}>
        Add endpoint
      </button>
    </form>
  );
};

export const Endpoints = ({ api }: { readonly api: Api }) => {
  const [secret, setSecret] = useState('');
  const { value, problem, refresh } = usePolling(async () => {
    const { body } = await api.get('/v1/webhook-endpoints?limit=100');
    return body.webhook_endpoints as Endpoint[];
  }, POLL_MS);
  const work = useAction(refresh);
  return (
    <>
      <h2>Webhook endpoints</h2>
      <p role="status">{problem || work.message}</p>
      {secret && <Secret text={secret} />}
      {value?.length === 0 && <p>There is no webhook endpoint yet.</p>}
      <ul id="endpoints" class="bare">
        {value?.map((endpoint) => (
          <EndpointEntry key={endpoint.id} api={api} endpoint={endpoint} work={work} show={setSecret} />
        ))}
      </ul>
      <AddEndpoint api={api} work={work} show={setSecret} />
    </>
  );
};
