// PayPal as its references of Orders v2, Payments v2 and Webhooks v1 describe it: the shopper approves, the merchant
// captures, and reports are verified with PayPal itself.
import { createHmac, randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { type Provider, type ReceivedRequest, type Report, type StandInResponse, startStandIn } from './stand_in.ts';

interface Money {
  readonly currency_code: string;
  readonly value: string;
}

interface Order {
  readonly id: string;
  readonly custom: string;
  readonly amount: Money;
  readonly manual: boolean;
  authorization: null | 'CREATED' | 'CAPTURED' | 'VOIDED';
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED';
  /** The amount to capture, which may differ from `amount`. */
  approved: Money;
  declines: boolean;
}

interface Refund {
  readonly id: string;
  readonly order: string;
  readonly amount: Money;
  readonly custom: string | null;
  status: 'PENDING' | 'COMPLETED';
}

const CLIENT = { client_id: 'client', webhook_id: '8PT597110X687430LKGECATA' };

export const startPaypal = async (): Promise<Provider> => {
  const orders = new Map<string, Order>();
  const refunds: Refund[] = [];
  const answers = new Map<string, StandInResponse>();
  let mode: Provider['refunds'] = 'at once';
  let secret = 'client secret';
  /** Tokens depend on `secret`, so a new secret invalidates earlier tokens. */
  const token = (): string => `A21AA${crc32(secret)}`;

  const wrong = (status: number, issue: string): StandInResponse => ({
    status,
    json: { name: 'UNPROCESSABLE_ENTITY', details: [{ issue }], debug_id: '1' },
  });
  const capture = ({ id, approved, custom }: Order) => ({
    id: `CAP${id}`,
    status: 'COMPLETED',
    amount: approved,
    custom_id: custom,
    supplementary_data: { related_ids: { order_id: id } },
  });
  const paymentsOf = (order: Order) => ({
    ...(order.manual
      ? {
          authorizations: [
            {
              id: `AUTH${order.id}`,
              status: order.authorization,
              amount: order.amount,
              custom_id: order.custom,
              expiration_time: '2099-01-01T00:00:00Z',
            },
          ],
        }
      : {}),
    ...(order.manual && order.authorization !== 'CAPTURED' ? {} : { captures: [capture(order)] }),
  });
  const shown = (order: Order) => ({
    id: order.id,
    intent: order.manual ? 'AUTHORIZE' : 'CAPTURE',
    status: order.status,
    purchase_units: [
      {
        reference_id: order.custom,
        custom_id: order.custom,
        amount: order.amount,
        ...(order.status === 'COMPLETED' ? { payments: paymentsOf(order) } : {}),
      },
    ],
    links: [{ rel: 'payer-action', href: `https://paypal.invalid/checkoutnow?token=${order.id}`, method: 'GET' }],
  });
  const shownRefund = ({ id, order, amount, custom, status }: Refund) => ({
    id,
    amount,
    custom_id: custom,
    status,
    links: [{ rel: 'up', href: `https://api-m.paypal.invalid/v2/payments/captures/CAP${order}`, method: 'GET' }],
  });

  const sign = (id: string, time: string, webhook: string, body: string, key = 'paypal'): string =>
    createHmac('sha256', key)
      .update(`${id}|${time}|${webhook}|${crc32(body)}`)
      .digest('base64');

  const work = ({ method, path, body }: ReceivedRequest): StandInResponse | null => {
    if (method === 'POST' && path === '/v1/notifications/verify-webhook-signature') {
      const sent = JSON.parse(body);
      const text = /"webhook_event":(.*)\}$/s.exec(body)?.[1] ?? '';
      const expected = sign(sent.transmission_id, sent.transmission_time, sent.webhook_id, text);
      const verified = expected === sent.transmission_sig && sent.webhook_id === CLIENT.webhook_id;
      return { status: 200, json: { verification_status: verified ? 'SUCCESS' : 'FAILURE' } };
    }
    if (method === 'POST' && path === '/v2/checkout/orders') {
      const { intent, purchase_units } = JSON.parse(body);
      const [unit] = purchase_units;
      if (unit.amount.currency_code === 'KES') return wrong(422, 'CURRENCY_NOT_SUPPORTED');
      const id = randomUUID().slice(0, 17).toUpperCase().replaceAll('-', '');
      const order: Order = {
        id,
        custom: unit.custom_id,
        amount: unit.amount,
        approved: unit.amount,
        manual: intent === 'AUTHORIZE',
        authorization: null,
        status: 'PAYER_ACTION_REQUIRED',
        declines: false,
      };
      orders.set(id, order);
      return { status: 200, json: shown(order) };
    }
    const [, id, action] = /^\/v2\/checkout\/orders\/(\w+)(\/capture|\/authorize)?$/.exec(path) ?? [];
    const order = orders.get(id ?? '');
    if (order && method === 'GET') return { status: 200, json: shown(order) };
    if (order && action) {
      if (order.status === 'COMPLETED') return wrong(422, 'ORDER_ALREADY_CAPTURED');
      if (order.status !== 'APPROVED') return wrong(422, 'ORDER_NOT_APPROVED');
      if (order.declines) return wrong(422, 'INSTRUMENT_DECLINED');
      if ((action === '/authorize') !== order.manual) return wrong(422, 'ACTION_DOES_NOT_MATCH_INTENT');
      order.status = 'COMPLETED';
      if (order.manual) order.authorization = 'CREATED';
      return { status: 201, json: shown(order) };
    }
    const [, authorized, end] = /^\/v2\/payments\/authorizations\/AUTH(\w+)\/(capture|void)$/.exec(path) ?? [];
    const held = orders.get(authorized ?? '');
    if (held) {
      if (held.authorization !== 'CREATED') return wrong(422, `AUTHORIZATION_ALREADY_${held.authorization}`);
      held.authorization = end === 'void' ? 'VOIDED' : 'CAPTURED';
      if (end === 'void') return { status: 204, json: null };
      held.approved = JSON.parse(body).amount;
      return { status: 201, json: capture(held) };
    }
    const captured = /^\/v2\/payments\/captures\/CAP(\w+)\/refund$/.exec(path)?.[1];
    if (captured && method === 'POST') {
      if (mode === 'refused') return wrong(422, 'CAPTURE_FULLY_REFUNDED');
      const { amount, custom_id: custom } = JSON.parse(body);
      const refund: Refund = {
        id: `RE${refunds.length + 1}`,
        order: captured,
        amount,
        custom,
        status: mode === 'later' ? 'PENDING' : 'COMPLETED',
      };
      refunds.push(refund);
      return { status: 201, json: shownRefund(refund) };
    }
    return null;
  };

  const answer = (asked: ReceivedRequest): StandInResponse | null => {
    const { headers, path, method } = asked;
    if (path === '/v1/oauth2/token') {
      const basic = Buffer.from(`${CLIENT.client_id}:${secret}`).toString('base64');
      return headers.authorization === `Basic ${basic}` && asked.body === 'grant_type=client_credentials'
        ? { status: 200, json: { access_token: token(), token_type: 'Bearer', expires_in: 32_400 } }
        : { status: 401, json: { error: 'invalid_client' } };
    }
    if (headers.authorization !== `Bearer ${token()}`) return { status: 401, json: { name: 'AUTHENTICATION_FAILURE' } };
    const id = headers['paypal-request-id'];
    if (method !== 'POST' || typeof id !== 'string') return work(asked);
    const said = answers.get(`${path} ${id}`) ?? work(asked);
    if (said && said.status < 300) answers.set(`${path} ${id}`, said);
    return said;
  };

  const event = (event_type: string, resource: unknown, key?: string): Report => {
    const body = standIn.twist(
      JSON.stringify({ id: `WH-${randomUUID()}`, event_version: '1.0', event_type, resource }),
    );
    const [id, time] = [randomUUID(), '2026-01-01T00:00:00Z'];
    return {
      headers: {
        'PayPal-Transmission-Id': id,
        'PayPal-Transmission-Time': time,
        'PayPal-Transmission-Sig': sign(id, time, CLIENT.webhook_id, body, key),
        'PayPal-Cert-Url': 'https://api.paypal.invalid/cert.pem',
        'PayPal-Auth-Algo': 'SHA256withRSA',
      },
      body,
    };
  };
  /** Approved: to be captured. Captured: the capture. */
  const reportOf = (id: string, key?: string): Report => {
    const order = orders.get(id)!;
    return order.status === 'COMPLETED'
      ? event('PAYMENT.CAPTURE.COMPLETED', capture(order), key)
      : event('CHECKOUT.ORDER.APPROVED', shown(order), key);
  };
  /** In cents, as a test counts. */
  const cents = ({ value }: Money): number => Math.round(Number(value) * 100);
  const money = (amount: number, { currency_code }: Money): Money => ({
    currency_code,
    value: (amount / 100).toFixed(2),
  });

  const standIn = await startStandIn(answer);
  return {
    name: 'wallet',
    variable: 'STOA_PAYPAL_URL',
    standIn,
    get connection() {
      return { provider: 'wallet', credentials: { ...CLIENT, client_secret: secret } };
    },
    changeKeys() {
      secret = randomUUID();
    },
    get startedCount() {
      return orders.size;
    },
    get chargedCount() {
      return [...orders.values()].filter(({ status, authorization }) =>
        authorization === null ? status === 'COMPLETED' : authorization === 'CAPTURED',
      ).length;
    },
    get authorizations() {
      const held = [...orders.values()];
      return {
        captured: held
          .filter(({ authorization }) => authorization === 'CAPTURED')
          .map(({ approved }) => cents(approved)),
        voided: held.filter(({ authorization }) => authorization === 'VOIDED').length,
      };
    },
    get refundsRequested() {
      return refunds.filter(({ custom }) => custom !== null).length;
    },
    get refundedAmounts() {
      return refunds.filter(({ status }) => status === 'COMPLETED').map(({ amount }) => cents(amount));
    },
    get refunds() {
      return mode;
    },
    set refunds(wanted) {
      mode = wanted;
    },
    amountOf: (id) => cents(orders.get(id)!.amount),
    pay: (id, amount) => {
      const order = orders.get(id)!;
      order.status = 'APPROVED';
      if (amount !== undefined) order.approved = money(amount, order.amount);
    },
    decline: (id) => {
      Object.assign(orders.get(id)!, { status: 'APPROVED', declines: true });
    },
    report: (id) => reportOf(id),
    forge: (id) => reportOf(id, 'another sender'),
    reportRefund: (id, amount, own) => {
      let refund = refunds.find(({ order, status }) => !own && order === id && status === 'PENDING');
      if (!refund) {
        const back = money(amount, orders.get(id)!.amount);
        refund = { id: `RE${refunds.length + 1}`, order: id, amount: back, custom: null, status: 'PENDING' };
        refunds.push(refund);
      }
      refund.status = 'COMPLETED';
      return event('PAYMENT.CAPTURE.REFUNDED', shownRefund(refund));
    },
  };
};
