// Tab of live traffic: requests and latency per second, and the latest requests.
import { useRef, useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { Chart, type ChartLine } from './chart.tsx';
import { usePolling } from './polling.ts';
import { type LoggedRequest, Requests } from './request.tsx';

interface Second {
  readonly at: string;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  readonly p50_ms: number;
  readonly p95_ms: number;
}

const POLL_MS = 2_000;
const SHOWN_S = 300;

const seriesOf = (seconds: ReadonlyMap<number, Second>) => {
  const last = Math.floor(Date.now() / 1_000) - 1;
  const times = Array.from({ length: SHOWN_S }, (_, at) => last - SHOWN_S + 1 + at);
  const rate = (read: (second: Second) => number) => times.map((at) => (seconds.has(at) ? read(seconds.get(at)!) : 0));
  const time = (read: (second: Second) => number | null) =>
    times.map((at) => (seconds.has(at) ? read(seconds.get(at)!) : null));
  const rates: ChartLine[] = [
    { label: 'requests', colour: '--go', values: rate(({ requests }) => requests) },
    { label: '4xx', colour: '--warn', values: rate(({ refused }) => refused) },
    { label: '5xx', colour: '--no', values: rate(({ failed }) => failed) },
  ];
  const latencies: ChartLine[] = [
    // Shows a gap instead of 0: a second whose requests were all long polls has no latency.
    { label: 'p50', colour: '--go', values: time(({ p50_ms }) => p50_ms || null) },
    { label: 'p95', colour: '--warn', values: time(({ p95_ms }) => p95_ms || null) },
  ];
  return { times, rates, latencies };
};

export const Traffic = ({ api }: { readonly api: Api }) => {
  const [filter, setFilter] = useState('');
  const seconds = useRef(new Map<number, Second>());
  const { value, problem } = usePolling(async () => {
    const { body } = await api.get('/v1/console/activity');
    for (const second of body.seconds as Second[])
      seconds.current.set(Math.floor(new Date(second.at).getTime() / 1_000), second);
    const oldest = Date.now() / 1_000 - SHOWN_S;
    for (const at of seconds.current.keys()) if (at < oldest) seconds.current.delete(at);
    return { requests: body.requests as LoggedRequest[], ...seriesOf(seconds.current) };
  }, POLL_MS);
  if (value === null) return <p role="status">{problem || 'One moment …'}</p>;
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      <div class="charts">
        <Chart title="Requests a second" times={value.times} lines={value.rates} />
        <Chart title="Milliseconds at the edge" times={value.times} lines={value.latencies} />
      </div>
      <h2>Requests</h2>
      <label>
        Filter
        <input
          id="wanted"
          value={filter}
          placeholder="POST /v1/orders, 404, an id"
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
      </label>
      <Requests api={api} requests={value.requests} filter={filter} />
    </>
  );
};
