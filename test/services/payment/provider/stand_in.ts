// A payment provider's stand-in on this machine: answers over HTTP as its documentation says, keeps what it was asked, and
// is unwell when told to be.
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface StandInResponse {
  readonly status: number;
  readonly json: unknown;
}

/**
 * `lost`: it does what it is asked, and its answer is lost. `silent`: it hears, and never answers. `locked`: no
 * caller is let in. `busy`: what stands before it says that too many ask.
 */
export type Mood = 'well' | 'lost' | 'down' | 'silent' | 'locked' | 'busy';

/** As each provider says that it does not know who asks. */
const LOCKED: StandInResponse = {
  status: 401,
  json: { error: { type: 'invalid_request_error', code: 'api_key_expired' }, errorCode: '404.001.03' },
};

const BUSY: StandInResponse = { status: 429, json: {} };

export interface StandIn {
  readonly url: string;
  /** Oldest first. */
  readonly asked: readonly ReceivedRequest[];
  mood: Mood;
  /** Changes the text of what it says, in answers and in reports. */
  twist: (said: string) => string;
  stop(): Promise<void>;
}

/** A report as its provider sends it. */
export interface Report {
  /** Where its address was made for one payment. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a test does with a provider, whichever it is. */
export interface Provider {
  readonly name: string;
  /** The setting that says where it is. */
  readonly variable: string;
  readonly standIn: StandIn;
  /** What connects a store to it. */
  readonly connection: Readonly<Record<string, unknown>>;
  /** How many payments were begun there. */
  readonly startedCount: number;
  /** How often a shopper was charged. */
  readonly chargedCount: number;
  /** How often it was asked to give money back. */
  readonly refundsRequested: number;
  /** What it gave back, in its own units. */
  readonly refundedAmounts: readonly number[];
  /** Whether it gives money back when asked, refuses to, or does so later and reports it. */
  refunds: 'at once' | 'later' | 'refused';
  /** The merchant changes their keys there: a caller with the old ones is not let in any more. */
  changeKeys(): void;
  /** In its own units. */
  amountOf(session: string): number;
  /** The shopper pays: what is asked for unless told otherwise. */
  pay(session: string, amount?: number): void;
  /** The shopper, or their bank, says no. */
  decline(session: string): void;
  /** Its report of how a payment stands. */
  report(session: string): Report;
  /** The same report from a sender who does not know its secret. */
  forge(session: string): Report;
  /** Reports that what it was asked to give back was given back, or that it did so by itself. */
  reportRefund(session: string, amount: number, own: boolean): Report;
}

const failureOf = (mood: Mood): StandInResponse | null => {
  if (mood === 'down') return { status: 503, json: null };
  if (mood === 'busy') return BUSY;
  return mood === 'locked' ? LOCKED : null;
};

export const startStandIn = async (answer: (asked: ReceivedRequest) => StandInResponse | null): Promise<StandIn> => {
  const asked: ReceivedRequest[] = [];
  let mood: Mood = 'well';
  let twist: StandIn['twist'] = (said) => said;
  const server = createServer((request, response) => {
    const chunks: Uint8Array[] = [];
    request.on('data', (chunk: Uint8Array) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '/', 'http://provider.invalid');
      const received: ReceivedRequest = {
        method: request.method ?? 'GET',
        path: url.pathname,
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      asked.push(received);
      if (mood === 'silent') return;
      const said = failureOf(mood) ?? answer(received);
      if (mood === 'lost') {
        request.socket.destroy();
        return;
      }
      response.statusCode = said?.status ?? 404;
      response.setHeader('content-type', 'application/json');
      response.end(mood === 'down' ? 'down' : twist(JSON.stringify(said?.json ?? { error: 'not found' })));
    });
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    get mood() {
      return mood;
    },
    set mood(wanted) {
      mood = wanted;
    },
    get twist() {
      return twist;
    },
    set twist(wanted) {
      twist = wanted;
    },
    stop: async () => {
      server.closeAllConnections();
      await new Promise((stopped) => server.close(stopped));
    },
  };
};
