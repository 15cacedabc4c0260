// Live: rate and latency by the second, and the latest requests.
import { useRef } from 'preact/hooks';
import type { Api } from './api.ts';
import { Chart, type Line } from './chart.tsx';
import { timeOf, useLive } from './live.ts';

interface Second {
  readonly at: string;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

interface Note {
  readonly request_id: string;
  readonly at: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly took_ms: number;
}

const LOOK_MS = 2_000;
const SHOWN_S = 300;

/** One place a second, quiet ones included. */
const seriesOf = (seconds: ReadonlyMap<number, Second>) => {
  const last = Math.floor(Date.now() / 1_000) - 1;
  const times = Array.from({ length: SHOWN_S }, (_, at) => last - SHOWN_S + 1 + at);
  const rate = (read: (second: Second) => number) => times.map((at) => (seconds.has(at) ? read(seconds.get(at)!) : 0));
  const time = (read: (second: Second) => number) =>
    times.map((at) => (seconds.has(at) ? read(seconds.get(at)!) : null));
  const rates: Line[] = [
    { label: 'requests', colour: '--go', values: rate(({ requests }) => requests) },
    { label: '4xx', colour: '--warn', values: rate(({ refused }) => refused) },
    { label: '5xx', colour: '--no', values: rate(({ failed }) => failed) },
  ];
  const latencies: Line[] = [
    { label: 'p50', colour: '--go', values: time(({ p50_ms }) => p50_ms) },
    { label: 'p95', colour: '--warn', values: time(({ p95_ms }) => p95_ms) },
  ];
  return { times, rates, latencies };
};

const toneOf = (status: number): string => (status >= 500 ? 'no' : status >= 400 ? 'warn' : 'go');

export const Traffic = ({ api }: { readonly api: Api }) => {
  const seconds = useRef(new Map<number, Second>());
  const { value, problem } = useLive(async () => {
    const { body } = await api.get('/v1/console/activity');
    for (const second of body.seconds as Second[])
      seconds.current.set(Math.floor(new Date(second.at).getTime() / 1_000), second);
    const oldest = Date.now() / 1_000 - SHOWN_S;
    for (const at of seconds.current.keys()) if (at < oldest) seconds.current.delete(at);
    return { requests: body.requests as Note[], ...seriesOf(seconds.current) };
  }, LOOK_MS);
  if (value === null) return <p role="status">{problem || 'One moment …'}</p>;
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      <div class="charts">
        <Chart title="Requests a second" times={value.times} lines={value.rates} />
        <Chart title="Milliseconds at the edge" times={value.times} lines={value.latencies} />
      </div>
      <h2>Requests</h2>
      <div class="wide">
        <table id="requests">
          <thead>
            <tr>
              <th>Time</th>
              <th>Request</th>
              <th>Status</th>
              <th>ms</th>
              <th>Id</th>
            </tr>
          </thead>
          <tbody>
            {value.requests.map(({ request_id, at, method, path, status, took_ms }) => (
              <tr key={request_id}>
                <td>{timeOf(at)}</td>
                <td>
                  <b>{method}</b> {path}
                </td>
                <td class={toneOf(status)}>{status}</td>
                <td>{took_ms}</td>
                <td>
                  <code>{request_id}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {value.requests.length === 0 && <p>No request was made with a key of this store yet.</p>}
    </>
  );
};
