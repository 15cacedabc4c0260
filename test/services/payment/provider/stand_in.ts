// A local stand-in of a payment provider: answers over HTTP as its documentation describes, records each request, and
// fails as its `mood` says.
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
 * `lost`: processes the request and drops the answer. `silent`: never answers. `locked`: rejects every credential.
 * `busy`: answers 429, as a gateway does. `down`: answers 503.
 */
export type Mood = 'well' | 'lost' | 'down' | 'silent' | 'locked' | 'busy';

/** Answer to unknown credentials; it satisfies the format of every provider. */
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
  /** Changes the text of answers and reports. */
  twist: (said: string) => string;
  stop(): Promise<void>;
}

/** A report as its provider sends it. */
export interface Report {
  /** Address of the report, where the provider received one for each payment. */
  readonly url?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Operations on a provider that tests of every provider share. */
export interface Provider {
  readonly name: string;
  /** Environment variable with the address of the provider. */
  readonly variable: string;
  readonly standIn: StandIn;
  /** Body that connects a store to the provider. */
  readonly connection: Readonly<Record<string, unknown>>;
  /** Number of payments started. */
  readonly startedCount: number;
  /** Number of charges. */
  readonly chargedCount: number;
  /** Amounts of captures in the provider's units, and the number of voids; absent where it cannot authorise. */
  readonly authorizations?: { readonly captured: readonly number[]; readonly voided: number };
  /** Number of refund requests. */
  readonly refundsRequested: number;
  /** Refunded amounts, in the provider's units. */
  readonly refundedAmounts: readonly number[];
  /** Whether a requested refund succeeds at once, succeeds later with a report, or is refused. */
  refunds: 'at once' | 'later' | 'refused';
  /** Replaces the merchant's credentials; the provider rejects the former ones. */
  changeKeys(): void;
  /** Amount of a session in the provider's units. */
  amountOf(session: string): number;
  /** Pays the session, by default the amount requested. */
  pay(session: string, amount?: number): void;
  /** Declines the session, as the shopper or their bank does. */
  decline(session: string): void;
  /** Report of the present state of a payment. */
  report(session: string): Report;
  /** The same report, signed with a wrong secret. */
  forge(session: string): Report;
  /** Report of a refund; `own` where the provider started it. */
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
