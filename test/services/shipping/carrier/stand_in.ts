// Plays a carrier aggregator and a merchant's extension on one local server: Shippo's documented format under /shippo,
// the extension's under /rates. Records all requests.
import { createHmac } from 'node:crypto';

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into what was sent
  readonly body: any;
}

export type Answer = (asked: Asked) => Response | Promise<Response>;

export interface StandIn {
  readonly url: string;
  readonly asked: Asked[];
  /** Sets the response to paths with this ending. */
  on(path: string, answer: Answer): void;
  /** Requests to a path, oldest first. */
  to(path: string): Asked[];
  stop(): Promise<void>;
}

export const json = (body: unknown, status = 200): Response => Response.json(body, { status });

export const openStandIn = (): StandIn => {
  const asked: Asked[] = [];
  const answers = new Map<string, Answer>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const text = await request.text();
      const path = new URL(request.url).pathname;
      const call: Asked = {
        method: request.method,
        path,
        headers: request.headers,
        text,
        body: text === '' ? null : JSON.parse(text),
      };
      asked.push(call);
      const answer = answers.get(path);
      return answer ? answer(call) : new Response('nothing here', { status: 404 });
    },
  });
  return {
    url: `http://127.0.0.1:${server.port}`,
    asked,
    on: (path, answer) => void answers.set(path, answer),
    to: (path) => asked.filter((call) => call.path === path),
    stop: () => server.stop(true),
  };
};

/** Builds a rate as Shippo's shipments contain it. */
export const shippoRate = (given: Record<string, unknown> = {}) => ({
  object_created: '2026-11-21T12:00:00.000Z',
  object_id: `rate_${crypto.randomUUID()}`,
  object_owner: 'shop@example.com',
  shipment: 'shipment_1',
  attributes: ['CHEAPEST'],
  amount: '7.58',
  currency: 'USD',
  amount_local: '9.80',
  currency_local: 'EUR',
  provider: 'USPS',
  provider_image_75: 'https://carrier.example/75.png',
  servicelevel: { name: 'Priority Mail', token: 'usps_priority', terms: '', extended_token: 'usps_priority' },
  estimated_days: 2,
  duration_terms: 'Delivery in 1 to 3 business days.',
  messages: [],
  carrier_account: 'account_1',
  test: true,
  zone: '1',
  ...given,
});

/** Builds the response of POST /shipments/ with `async: false`. */
export const shippoShipment = (rates: readonly unknown[]) =>
  json({ object_id: 'shipment_1', status: 'SUCCESS', rates, messages: [], test: true }, 201);

/** Builds the response of POST /transactions/ for a bought label. */
export const shippoTransaction = (given: Record<string, unknown> = {}) =>
  json(
    {
      object_state: 'VALID',
      object_id: 'transaction_1',
      status: 'SUCCESS',
      tracking_number: '9499907123456123456781',
      tracking_status: 'UNKNOWN',
      tracking_url_provider: 'https://tools.usps.com/go/TrackConfirmAction_input?origTrackNum=9499907123456123456781',
      label_url: 'https://labels.example/9499907123456123456781.pdf',
      messages: [],
      test: true,
      ...given,
    },
    201,
  );

/** Verifies the webhook signature of a request. */
export const isSigned = ({ headers, text }: Asked, secret: string): boolean => {
  const [, timestamp, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers.get('x-svc-signature') ?? '') ?? [];
  const own = createHmac('sha256', secret).update(`${timestamp}.${text}`).digest('hex');
  return own === signature && Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300;
};
