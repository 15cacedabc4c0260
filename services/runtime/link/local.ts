// Implements the link between an edge and services in one process; requests are passed on without encoding.
import { refuse } from '#runtime/call/call.ts';
import type { Notices } from '#runtime/nats/notice.ts';
import { NumberTable } from '#values/number_table.ts';
import { type Answer, type LinkClient, NO_BYTES } from './frame.ts';
import { Cancellation, type LinkHost } from './server.ts';

const SWEEP_MS = 50;

interface Outstanding {
  readonly expire: () => void;
  readonly cancelWait: () => void;
  readonly overdueAt: number;
}

const lost = (write: boolean): Answer => ({
  body: NO_BYTES,
  dependsOn: [],
  replayed: false,
  refused: write
    ? refuse('server_error', 'The outcome is unknown. Send the same request with the same key again.')
    : refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 }),
});

export const localLink = (host: LinkHost, notices: Notices): LinkClient => {
  const outstanding = new NumberTable<Outstanding>();
  let asked = 0;
  let sweeper: ReturnType<typeof setInterval> | undefined;
  const rest = (): void => {
    clearInterval(sweeper);
    sweeper = undefined;
  };
  const sweep = (): void => {
    const nowMs = performance.now();
    for (const [, waiting] of outstanding.entries()) if (waiting.overdueAt <= nowMs) waiting.expire();
    if (outstanding.size === 0) rest();
  };

  const inTime = (answer: Promise<Answer>, timeoutMs: number, write: boolean, cancellation: Cancellation) =>
    new Promise<Answer>((done, fail) => {
      const number = ++asked;
      outstanding.set(number, {
        overdueAt: performance.now() + timeoutMs,
        cancelWait: () => cancellation.cancel(),
        expire: () => {
          outstanding.take(number);
          cancellation.cancel();
          done(lost(write));
        },
      });
      sweeper ??= setInterval(sweep, SWEEP_MS).unref();
      answer.then(
        (given) => {
          outstanding.take(number);
          done(given);
        },
        (problem) => {
          outstanding.take(number);
          fail(problem);
        },
      );
    });

  return {
    ask(ask, write) {
      const cancellation = new Cancellation();
      const answer = host.dispatch(ask, cancellation);
      return answer instanceof Promise ? inTime(answer, ask.timeoutMs, write, cancellation) : answer;
    },
    listen: (listener) => void notices.listen(listener),
    serves: (service) => host.hello().services.includes(service),
    cancelWaits: () => {
      for (const [, waiting] of outstanding.entries()) waiting.cancelWait();
    },
    async close() {
      rest();
    },
  };
};
