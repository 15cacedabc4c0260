// The store's use of its plan's limits.
import type { Api } from './api.ts';
import { momentOf, usePolling } from './polling.ts';

interface Usage {
  readonly plan: string;
  readonly trial: boolean;
  readonly month: string;
  readonly quota: number | null;
  readonly used: number;
  readonly remaining: number | null;
}

interface Allowance {
  readonly usage: Usage;
  /** The window with the fewest requests left; null if no window is limited. */
  readonly window: { readonly limit: number; readonly left: number; readonly endsAt: number } | null;
}

const POLL_MS = 15_000;

const windowOf = (headers: Headers): Allowance['window'] => {
  const number = (name: string): number => Number(headers.get(`X-RateLimit-${name}`) ?? Number.NaN);
  const window = { limit: number('Limit'), left: number('Remaining'), endsAt: number('Reset') * 1_000 };
  return Number.isNaN(window.limit + window.left + window.endsAt) ? null : window;
};

export const UsageView = ({ api }: { readonly api: Api }) => {
  const { value, problem } = usePolling(async (): Promise<Allowance> => {
    const { body, headers } = await api.get('/v1/usage');
    return { usage: body.usage, window: windowOf(headers) };
  }, POLL_MS);
  if (value === null) return <p role="status">{problem || 'One moment …'}</p>;
  const { usage, window } = value;
  const { plan, trial, month, quota, used } = usage;
  return (
    <>
      {problem && <p role="alert">{problem}</p>}
      <h2>
        {month}: {trial ? `trial of ${plan}` : plan}
      </h2>
      <p class="large" id="used">
        {used.toLocaleString()} <small>of {quota === null ? 'any number of' : quota.toLocaleString()} requests</small>
      </p>
      {quota !== null && <progress max={quota} value={used} aria-label="Used of the month’s requests" />}
      {window && (
        <>
          <h2>Until {momentOf(window.endsAt)}</h2>
          <p class="large">
            {(window.limit - window.left).toLocaleString()} <small>of {window.limit.toLocaleString()} requests</small>
          </p>
          <progress max={window.limit} value={window.limit - window.left} aria-label="Used of the window’s requests" />
        </>
      )}
    </>
  );
};
