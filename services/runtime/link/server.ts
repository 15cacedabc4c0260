// Implements the host's end of the link: answers each request once and forwards notices.

import { refuse } from '#runtime/call/call.ts';
import type { Duplex } from '#runtime/grpc/grpc.ts';
import type { Notice } from '#runtime/nats/notice.ts';
import { NumberTable } from '#values/number_table.ts';
import { decodeBatch } from './decode.ts';
import { SentFragments } from './fragment.ts';
import { type Answer, type Ask, type Hello, NO_BYTES } from './frame.ts';
import { FrameSender } from './sender.ts';

/** Maximum number of unanswered requests of one edge; further requests are refused before they have any effect. */
const IN_FLIGHT_MAX = 8_192;

/** Tells a handler that its caller has stopped waiting, or that a long poll should answer now. */
export class Cancellation {
  cancelled = false;
  #hear: (() => void) | null = null;

  cancel(): void {
    this.cancelled = true;
    this.#hear?.();
  }

  onCancel(listener: () => void): void {
    if (this.cancelled) listener();
    else this.#hear = listener;
  }
}

export interface LinkHost {
  hello(): Hello;
  dispatch(ask: Ask, cancellation: Cancellation): Answer | Promise<Answer>;
}

export interface LinkServer {
  readonly inFlight: number;
  notify(notice: Notice): void;
  /**
   * Tells the edge to send no new requests. Running requests are answered; later ones are refused before they start.
   */
  drain(): void;
}

const refused = (message: string): Answer => ({
  body: NO_BYTES,
  dependsOn: [],
  replayed: false,
  refused: refuse('service_unavailable', message, { retryAfterS: 1 }),
});
const SHED = refused('This link already has 8,192 calls in flight. Retry after a second.');
const NOT_STARTED: Answer = { ...refused('This host is about to end. Try again shortly.'), notStarted: true };

export function serveLink(duplex: Duplex, host: LinkHost, gone: (link: LinkServer) => void): LinkServer {
  const sender = new FrameSender(duplex, new SentFragments());
  const inFlight = new NumberTable<Cancellation>();
  let { draining } = host.hello();
  const answer = (id: number, given: Answer): void => {
    inFlight.take(id);
    sender.send({ kind: 'answer', id, answer: given });
  };
  duplex.onMessage((bytes) => {
    for (const frame of decodeBatch(bytes)) {
      if (frame.kind === 'ask') {
        if (draining || inFlight.size >= IN_FLIGHT_MAX) {
          sender.send({ kind: 'answer', id: frame.id, answer: draining ? NOT_STARTED : SHED });
          continue;
        }
        const cancellation = new Cancellation();
        inFlight.set(frame.id, cancellation);
        const given = host.dispatch(frame.ask, cancellation);
        if (given instanceof Promise) void given.then((late) => answer(frame.id, late));
        else answer(frame.id, given);
      } else if (frame.kind === 'cancel') inFlight.get(frame.id)?.cancel();
    }
  });
  const link: LinkServer = {
    get inFlight() {
      return inFlight.size;
    },
    notify: (notice) => sender.send({ kind: 'changed', notice }),
    drain: () => {
      draining = true;
      sender.send({ kind: 'hello', hello: { ...host.hello(), draining: true } });
      for (const [, cancellation] of inFlight.entries()) cancellation.cancel();
    },
  };
  duplex.onEnd(() => {
    for (const [, cancellation] of inFlight.entries()) cancellation.cancel();
    inFlight.clear();
    gone(link);
  });
  sender.send({ kind: 'hello', hello: host.hello() });
  return link;
}
