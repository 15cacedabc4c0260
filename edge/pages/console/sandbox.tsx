// Tab of the sandbox: shows and advances the clock, and resets the data.
import { useEffect, useState } from 'preact/hooks';
import type { Api } from './api.ts';
import { momentOf, usePolling } from './polling.ts';

interface FiredEvents {
  readonly type: string;
  readonly count: number;
}

const POLL_MS = 10_000;
const HOUR_S = 3_600;
const ADVANCES = [
  ['an hour', HOUR_S],
  ['a day', 24 * HOUR_S],
  ['a week', 7 * 24 * HOUR_S],
  ['30 days', 30 * 24 * HOUR_S],
] as const;

const UNITS = [
  ['day', 24 * HOUR_S],
  ['hour', HOUR_S],
  ['minute', 60],
] as const;

const aheadOf = (seconds: number): string => {
  const [unit, length] = UNITS.find(([, each]) => seconds >= each) ?? UNITS[2];
  const count = Math.round(seconds / length);
  return seconds === 0 ? 'The clock shows real time.' : `${count} ${unit}${count === 1 ? '' : 's'} ahead of real time.`;
};

export const Sandbox = ({ api }: { readonly api: Api }) => {
  const [real, setReal] = useState(Date.now());
  const [fired, setFired] = useState<readonly FiredEvents[] | null>(null);
  const [message, setMessage] = useState('');
  const [busy, setBusy] = useState(false);
  const [copy, setCopy] = useState(true);
  const [confirming, setConfirming] = useState(false);
  const [to, setTo] = useState('');
  const {
    value: offset,
    problem,
    refresh,
  } = usePolling(async () => (await api.get('/v1/sandbox/clock')).body.offset_seconds as number, POLL_MS);
  useEffect(() => {
    const timer = setInterval(() => setReal(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);

  const work = async (run: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setMessage('');
    try {
      await run();
    } catch (refused) {
      setMessage((refused as Error).message);
    }
    setBusy(false);
    setConfirming(false);
    refresh();
  };
  const travel = (request: object) =>
    work(async () => {
      const { body } = await api.post('/v1/sandbox/time-travel', request);
      setFired(body.fired);
      setMessage(`It is ${momentOf(body.now)} in the sandbox.`);
    });
  const reset = () =>
    work(async () => {
      await api.post('/v1/sandbox/reset', { copy_catalogue: copy });
      setFired(null);
      setMessage('The sandbox is reset.');
    });

  return (
    <>
      <p class="large" id="clock">
        {offset === null ? problem || 'One moment …' : momentOf(real + offset * 1_000)}
      </p>
      <p>{offset !== null && aheadOf(offset)}</p>
      <p class="buttons">
        {ADVANCES.map(([name, seconds]) => (
          <button key={name} type="button" disabled={busy} onClick={() => travel({ advance_seconds: seconds })}>
            Forward {name}
          </button>
        ))}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (to !== '') void travel({ to: new Date(to).toISOString() });
        }}
      >
        <label>
          To a moment
          <input type="datetime-local" value={to} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
        </label>
        <button type="submit" disabled={busy || to === ''}>
          Go there
        </button>
      </form>
      <p role="status">{message}</p>
      {fired !== null && (
        <table id="fired">
          <caption>{fired.length === 0 ? 'No event was due.' : 'What happened'}</caption>
          <tbody>
            {fired.map(({ type, count }) => (
              <tr key={type}>
                <td>{type}</td>
                <td>{count}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <h2>Reset the sandbox</h2>
      <label class="check">
        <input type="checkbox" checked={copy} onChange={({ currentTarget }) => setCopy(currentTarget.checked)} />
        Copy the catalogue of production
      </label>
      <p class="buttons">
        {confirming ? (
          <>
            <button type="button" class="no" disabled={busy} onClick={reset}>
              Delete all records of the sandbox
            </button>
            <button type="button" disabled={busy} onClick={() => setConfirming(false)}>
              Keep them
            </button>
          </>
        ) : (
          <button type="button" class="no" onClick={() => setConfirming(true)}>
            Reset …
          </button>
        )}
      </p>
    </>
  );
};
