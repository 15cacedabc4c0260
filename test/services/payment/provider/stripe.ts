// Stripe as its API reference describes it: Checkout sessions, payment intents of card fields, refunds, and events signed by the endpoint's secret.
import { createHmac, randomUUID } from 'node:crypto';
import { type Provider, type ReceivedRequest, type Report, type StandInResponse, startStandIn } from './stand_in.ts';

interface Session {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly reference: string;
  readonly metadata: Record<string, string>;
  readonly manual: boolean;
  /** Paid on the shop's page: its id is the one of its payment intent. */
  readonly element: boolean;
  authorized: boolean;
  voided: boolean;
  paid: number | null;
  failed: boolean;
  expired: boolean;
}

interface Refund {
  readonly id: string;
  readonly amount: number;
  readonly session: string;
  readonly name: string | null;
  status: string;
}

const SECRET = 'whsec_stand_in';
const DAY_S = 86_400;

export const startStripe = async (now: () => number): Promise<Provider> => {
  const sessions = new Map<string, Session>();
  const refunds: Refund[] = [];
  const answers = new Map<string, { readonly asked: string; readonly said: StandInResponse }>();
  let mode: Provider['refunds'] = 'at once';
  let key = 'sk_test_stand_in';

  const error = (status: number, type: string, code: string): StandInResponse => ({
    status,
    json: { error: { type, code, message: `No: ${code}.` } },
  });
  const intentId = ({ id, element }: Session): string => (element ? id : `pi_${id}`);
  const intentStatus = ({ voided, expired, paid, manual, authorized }: Session): string => {
    if (voided || expired) return 'canceled';
    if (paid !== null) return 'succeeded';
    return manual && authorized ? 'requires_capture' : 'requires_payment_method';
  };
  const shownIntent = (session: Session) => ({
    id: intentId(session),
    client_secret: `${intentId(session)}_secret_stand_in`,
    object: 'payment_intent',
    capture_method: session.manual ? 'manual' : 'automatic',
    metadata: { ...session.metadata, reference: session.reference },
    currency: session.currency,
    amount_capturable: session.paid === null && !session.voided ? session.amount : 0,
    amount_received: session.paid ?? 0,
    status: intentStatus(session),
    latest_charge: {
      id: `ch_${session.id}`,
      object: 'charge',
      payment_method_details: { card: { capture_before: Math.floor(now() / 1_000) + 5 * DAY_S } },
    },
  });
  const shownSession = (session: Session, expanded = false) => ({
    id: session.id,
    object: 'checkout.session',
    amount_total: session.paid ?? session.amount,
    currency: session.currency,
    client_reference_id: session.reference,
    metadata: session.metadata,
    mode: 'payment',
    payment_intent:
      session.authorized && expanded
        ? shownIntent(session)
        : session.paid === null && !session.authorized
          ? null
          : `pi_${session.id}`,
    payment_status: session.paid === null ? 'unpaid' : 'paid',
    status: session.expired ? 'expired' : session.paid === null && !session.authorized ? 'open' : 'complete',
    url: session.paid === null ? `https://checkout.stripe.invalid/c/pay/${session.id}` : null,
    expires_at: Math.floor(now() / 1_000) + DAY_S,
  });
  const shownRefund = (refund: Refund) => ({
    id: refund.id,
    object: 'refund',
    amount: refund.amount,
    currency: sessions.get(refund.session)!.currency,
    payment_intent: intentId(sessions.get(refund.session)!),
    metadata: refund.name === null ? {} : { stoa_refund: refund.name },
    status: refund.status,
  });

  const metadataOf = (form: URLSearchParams): Record<string, string> =>
    Object.fromEntries(
      [...form].flatMap(([name, value]) => {
        const key = /^metadata\[(.+)\]$/.exec(name)?.[1];
        return key ? [[key, value]] : [];
      }),
    );
  const newIntent = (form: URLSearchParams): StandInResponse => {
    if (!form.get('currency') || form.get('automatic_payment_methods[enabled]') !== 'true')
      return error(400, 'invalid_request_error', 'parameter_missing');
    if (Number(form.get('amount')) < 50) return error(400, 'invalid_request_error', 'amount_too_small');
    const { reference = '', ...metadata } = metadataOf(form);
    const session: Session = {
      id: `pi_${randomUUID().replaceAll('-', '')}`,
      amount: Number(form.get('amount')),
      currency: form.get('currency')!,
      reference,
      metadata,
      manual: form.get('capture_method') === 'manual',
      element: true,
      authorized: false,
      voided: false,
      paid: null,
      failed: false,
      expired: false,
    };
    sessions.set(session.id, session);
    return { status: 200, json: shownIntent(session) };
  };
  const sessionOf = (intent: string): Session | undefined => sessions.get(intent) ?? sessions.get(intent.slice(3));

  const work = ({ method, path, query, body }: ReceivedRequest): StandInResponse | null => {
    const form = new URLSearchParams(body);
    if (method === 'POST' && path === '/v1/checkout/sessions') {
      const price = (name: string): string => form.get(`line_items[0][price_data][${name}]`) ?? '';
      if (!form.get('success_url') || form.get('mode') !== 'payment' || !price('product_data][name'))
        return error(400, 'invalid_request_error', 'parameter_missing');
      if (Number(price('unit_amount')) < 50) return error(400, 'invalid_request_error', 'amount_too_small');
      const session: Session = {
        id: `cs_test_${randomUUID().replaceAll('-', '')}`,
        amount: Number(price('unit_amount')),
        currency: price('currency'),
        reference: form.get('client_reference_id') ?? '',
        metadata: metadataOf(form),
        manual: form.get('payment_intent_data[capture_method]') === 'manual',
        element: false,
        authorized: false,
        voided: false,
        paid: null,
        failed: false,
        expired: false,
      };
      sessions.set(session.id, session);
      return { status: 200, json: shownSession(session) };
    }
    const named = /^\/v1\/checkout\/sessions\/(\w+)$/.exec(path)?.[1];
    if (method === 'GET' && named) {
      const session = sessions.get(named);
      return session
        ? { status: 200, json: shownSession(session, query.has('expand[0]')) }
        : error(404, 'invalid_request_error', 'resource_missing');
    }
    const ended = /^\/v1\/checkout\/sessions\/(\w+)\/expire$/.exec(path)?.[1];
    if (method === 'POST' && ended) {
      const session = sessions.get(ended);
      if (!session || session.paid !== null) return error(400, 'invalid_request_error', 'resource_missing');
      session.expired = true;
      return { status: 200, json: shownSession(session) };
    }
    if (method === 'POST' && path === '/v1/payment_intents') return newIntent(form);
    const [, intent, step] = /^\/v1\/payment_intents\/(pi_\w+?)(?:\/(capture|cancel))?$/.exec(path) ?? [];
    const held = intent ? sessionOf(intent) : undefined;
    if (held) {
      if (method === 'POST' && (held.paid !== null || held.voided || held.expired))
        return error(400, 'invalid_request_error', 'payment_intent_unexpected_state');
      if (step === 'capture') held.paid = Number(form.get('amount_to_capture'));
      if (step === 'cancel' && held.element && !held.authorized) held.expired = true;
      else if (step === 'cancel') held.voided = true;
      return { status: 200, json: shownIntent(held) };
    }
    if (method === 'GET' && path === '/v1/refunds') {
      const of = refunds.filter(({ session }) => intentId(sessions.get(session)!) === query.get('payment_intent'));
      return { status: 200, json: { object: 'list', has_more: false, url: path, data: of.map(shownRefund) } };
    }
    if (method === 'POST' && path === '/v1/refunds') {
      const session = sessionOf(form.get('payment_intent') ?? '');
      if (!session || session.paid === null) return error(404, 'invalid_request_error', 'resource_missing');
      if (mode === 'refused') return error(400, 'invalid_request_error', 'charge_disputed');
      const refund: Refund = {
        id: `re_${refunds.length + 1}`,
        amount: Number(form.get('amount')),
        session: session.id,
        name: form.get('metadata[stoa_refund]'),
        status: mode === 'later' ? 'pending' : 'succeeded',
      };
      refunds.push(refund);
      return { status: 200, json: shownRefund(refund) };
    }
    return null;
  };

  /** The same key is answered as the first time; with other parameters it is an error. */
  const answer = (asked: ReceivedRequest): StandInResponse | null => {
    if (asked.headers.authorization !== `Bearer ${key}`) return error(401, 'invalid_request_error', 'api_key_expired');
    const name = asked.headers['idempotency-key'];
    if (asked.method !== 'POST') return work(asked);
    if (typeof name !== 'string') return error(400, 'invalid_request_error', 'idempotency_key_missing');
    const before = answers.get(name);
    if (before && before.asked !== asked.body) return error(400, 'idempotency_error', 'idempotency_key_in_use');
    const said = before?.said ?? work(asked);
    if (said) answers.set(name, { asked: asked.body, said });
    return said;
  };

  const event = (type: string, object: unknown, secret = SECRET): Report => {
    const seconds = Math.floor(now() / 1_000);
    const body = standIn.twist(
      JSON.stringify({
        id: `evt_${randomUUID()}`,
        object: 'event',
        api_version: '2025-09-30.clover',
        created: seconds,
        livemode: false,
        type,
        data: { object },
      }),
    );
    const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
    return { headers: { 'Stripe-Signature': `t=${seconds},v1=${signature}` }, body };
  };
  const reportOf = (id: string, secret?: string): Report => {
    const session = sessions.get(id)!;
    if (session.voided) return event('payment_intent.canceled', shownIntent(session), secret);
    if (session.element && session.failed && session.paid === null)
      return event('payment_intent.payment_failed', shownIntent(session), secret);
    if (session.element && session.authorized && session.paid === null)
      return event('payment_intent.amount_capturable_updated', shownIntent(session), secret);
    if ((session.element || session.authorized) && session.paid !== null)
      return event('payment_intent.succeeded', shownIntent(session), secret);
    const type = session.failed ? 'checkout.session.async_payment_failed' : 'checkout.session.completed';
    return event(type, shownSession(session), secret);
  };

  const standIn = await startStandIn(answer);
  return {
    name: 'card_checkout',
    variable: 'STOA_STRIPE_URL',
    standIn,
    get connection() {
      return { provider: 'card_checkout', credentials: { secret_key: key, webhook_secret: SECRET } };
    },
    changeKeys() {
      key = `sk_test_${randomUUID()}`;
    },
    get startedCount() {
      return sessions.size;
    },
    get chargedCount() {
      return [...sessions.values()].filter(({ paid }) => paid !== null).length;
    },
    get authorizations() {
      const held = [...sessions.values()].filter(({ authorized }) => authorized);
      return {
        captured: held.flatMap(({ paid }) => (paid === null ? [] : [paid])),
        voided: held.filter(({ voided }) => voided).length,
      };
    },
    get refundsRequested() {
      return refunds.filter(({ name }) => name !== null).length;
    },
    get refundedAmounts() {
      return refunds.filter(({ status }) => status === 'succeeded').map(({ amount }) => amount);
    },
    get refunds() {
      return mode;
    },
    set refunds(wanted) {
      mode = wanted;
    },
    amountOf: (id) => sessions.get(id)!.amount,
    pay: (id, amount) => {
      const session = sessions.get(id)!;
      if (session.manual && !session.authorized) session.authorized = true;
      else session.paid = amount ?? session.amount;
    },
    decline: (id) => {
      sessions.get(id)!.failed = true;
    },
    report: (id) => reportOf(id),
    forge: (id) => reportOf(id, 'whsec_somebody_else'),
    reportRefund: (id, amount, own) => {
      let refund = refunds.find(({ session, status }) => !own && session === id && status === 'pending');
      if (!refund) {
        refund = { id: `re_${refunds.length + 1}`, amount, session: id, name: null, status: 'pending' };
        refunds.push(refund);
      }
      refund.status = 'succeeded';
      return event(own ? 'refund.created' : 'refund.updated', shownRefund(refund));
    },
  };
};
