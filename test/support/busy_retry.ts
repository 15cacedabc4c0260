// Repeats a request that an overloaded server refused or whose outcome is unknown. The idempotency key stays the same, so that
// the request takes effect once.
const LIMIT_MS = 30_000;
const PAUSE_MS = 250;
const UNKNOWN = 'The outcome is unknown.';

/** Repeats the request for 30 s at most. A write keeps its idempotency key. */
export const retryWhileBusy = async (send: () => Promise<Response>): Promise<Response> => {
  const until = performance.now() + LIMIT_MS;
  for (;;) {
    const answer = await send();
    const isBusy = answer.status === 503 || (answer.status === 500 && (await answer.clone().text()).includes(UNKNOWN));
    if (!isBusy || performance.now() > until) return answer;
    await Bun.sleep(PAUSE_MS);
  }
};
