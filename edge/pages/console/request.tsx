// The latest requests with a filter, and the stored bodies of the selected one.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { timeOf } from './polling.ts';

export interface LoggedRequest {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly took_ms: number;
  readonly key_type: string;
}

interface RequestBodies {
  readonly requestId: string;
  readonly request_body: string | null;
  readonly response_body: string | null;
  readonly problem: string;
}

const toneOf = (status: number): string => (status >= 500 ? 'no' : status >= 400 ? 'warn' : 'go');

const addressOf = ({ path, query }: LoggedRequest): string => (query === '' ? path : `${path}?${query}`);

const matches = (request: LoggedRequest, filter: string): boolean => {
  const line = `${request.method} ${addressOf(request)} ${request.status} ${request.request_id}`.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => line.includes(word));
};

const tidy = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
};

const Body = ({ name, text, none }: { readonly name: string; readonly text: string | null; readonly none: string }) => (
  <>
    <h3>{name}</h3>
    {text === null ? <p class="soft">{none}</p> : <pre>{tidy(text)}</pre>}
  </>
);

const BodiesRow = ({ request, opened }: { readonly request: LoggedRequest; readonly opened: RequestBodies }) => (
  <tr class="detail">
    <td colSpan={4}>
      <p>
        <code>{request.request_id}</code> by a {request.key_type} key
      </p>
      {opened.problem ? (
        <p role="alert">{opened.problem}</p>
      ) : request.status < 400 ? (
        <p class="soft">Bodies are stored for refused requests only.</p>
      ) : (
        <>
          <Body
            name="Sent"
            text={opened.request_body}
            none="The body was empty, was not JSON, or is no longer stored."
          />
          <Body name="Answered" text={opened.response_body} none="The body is no longer stored." />
        </>
      )}
    </td>
  </tr>
);

interface Props {
  readonly api: Api;
  readonly requests: readonly LoggedRequest[];
  readonly filter: string;
}

export const Requests = ({ api, requests, filter }: Props) => {
  const [opened, setOpened] = useState<RequestBodies | null>(null);
  const found = requests.filter((request) => matches(request, filter.trim()));
  const look = async (requestId: string): Promise<void> => {
    if (opened?.requestId === requestId) return setOpened(null);
    const bodies = { request_body: null, response_body: null };
    try {
      const { body } = await api.get(`/v1/console/requests/${encodeURIComponent(requestId)}`);
      setOpened({ ...bodies, ...body, requestId, problem: '' });
    } catch (refused) {
      setOpened({ ...bodies, requestId, problem: (refused as Error).message });
    }
  };
  if (requests.length === 0) return <p>No request was made with a key of this store yet.</p>;
  if (found.length === 0) return <p id="none">No request matches “{filter.trim()}”.</p>;
  return (
    <div class="wide">
      <table id="requests">
        <thead>
          <tr>
            <th>Time</th>
            <th>Request</th>
            <th class="number">Status</th>
            <th class="number">ms</th>
          </tr>
        </thead>
        {found.map((request) => (
          <tbody key={request.request_id}>
            <tr>
              <td>{timeOf(request.at)}</td>
              <td class="address">
                <button
                  type="button"
                  class="plain"
                  aria-expanded={opened?.requestId === request.request_id}
                  onClick={() => void look(request.request_id)}
                >
                  <span class="called">
                    <b>{request.method}</b> {addressOf(request)}
                  </span>
                </button>
              </td>
              <td class={`number ${toneOf(request.status)}`}>{request.status}</td>
              <td class="number">{request.took_ms.toFixed(1)}</td>
            </tr>
            {opened?.requestId === request.request_id && <BodiesRow request={request} opened={opened} />}
          </tbody>
        ))}
      </table>
    </div>
  );
};
