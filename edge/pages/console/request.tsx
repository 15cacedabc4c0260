// The latest requests, those that a reader looks for among them, and of one what was sent and answered.
import { useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { timeOf } from './live.ts';

export interface Note {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
  readonly took_ms: number;
  readonly key_type: string;
}

interface Detail {
  readonly of: string;
  readonly request_body: string | null;
  readonly response_body: string | null;
  readonly problem: string;
}

const toneOf = (status: number): string => (status >= 500 ? 'no' : status >= 400 ? 'warn' : 'go');

const addressOf = ({ path, query }: Note): string => (query === '' ? path : `${path}?${query}`);

/** Every word of what is wanted is found somewhere in the line. */
const matches = (note: Note, wanted: string): boolean => {
  const line = `${note.method} ${addressOf(note)} ${note.status} ${note.request_id}`.toLowerCase();
  return wanted
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

const DetailRow = ({ note, detail }: { readonly note: Note; readonly detail: Detail }) => (
  <tr class="detail">
    <td colSpan={4}>
      <p>
        <code>{note.request_id}</code> by a {note.key_type} key
      </p>
      {detail.problem ? (
        <p role="alert">{detail.problem}</p>
      ) : note.status < 400 ? (
        <p class="soft">Bodies are kept of refused requests alone.</p>
      ) : (
        <>
          <Body name="Sent" text={detail.request_body} none="Nothing, no JSON, or no longer kept." />
          <Body name="Answered" text={detail.response_body} none="No longer kept." />
        </>
      )}
    </td>
  </tr>
);

interface Props {
  readonly api: Api;
  readonly notes: readonly Note[];
  readonly wanted: string;
}

export const Requests = ({ api, notes, wanted }: Props) => {
  const [detail, setDetail] = useState<Detail | null>(null);
  const found = notes.filter((note) => matches(note, wanted.trim()));
  const look = async (of: string): Promise<void> => {
    if (detail?.of === of) return setDetail(null);
    const bodies = { request_body: null, response_body: null };
    try {
      const { body } = await api.get(`/v1/console/requests/${encodeURIComponent(of)}`);
      setDetail({ ...bodies, ...body, of, problem: '' });
    } catch (refused) {
      setDetail({ ...bodies, of, problem: (refused as Error).message });
    }
  };
  if (notes.length === 0) return <p>No request was made with a key of this store yet.</p>;
  if (found.length === 0) return <p id="none">No request matches “{wanted.trim()}”.</p>;
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
        {found.map((note) => (
          <tbody key={note.request_id}>
            <tr>
              <td>{timeOf(note.at)}</td>
              <td class="address">
                <button
                  type="button"
                  class="plain"
                  aria-expanded={detail?.of === note.request_id}
                  onClick={() => void look(note.request_id)}
                >
                  <span class="called">
                    <b>{note.method}</b> {addressOf(note)}
                  </span>
                </button>
              </td>
              <td class={`number ${toneOf(note.status)}`}>{note.status}</td>
              <td class="number">{note.took_ms.toFixed(1)}</td>
            </tr>
            {detail?.of === note.request_id && <DetailRow note={note} detail={detail} />}
          </tbody>
        ))}
      </table>
    </div>
  );
};
