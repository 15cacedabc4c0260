// Paystack as its API reference describes it: transactions, refunds without any name for a repeated request, and events
// signed by the account's secret key.
import { createHmac, randomUUID } from 'node:crypto';
import { type Provider, type ReceivedRequest, type Report, type StandInResponse, startStandIn } from './stand_in.ts';

interface Charge {
  readonly id: number;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly metadata: unknown;
  paid: number | null;
  status: 'abandoned' | 'success' | 'failed';
}

interface Refund {
  readonly id: number;
  readonly charge: Charge;
  readonly amount: number;
  readonly note: string | null;
  status: 'pending' | 'processed';
}

export const startPaystack = async (): Promise<Provider> => {
  const charges = new Map<string, Charge>();
  const refunds: Refund[] = [];
  let mode: Provider['refunds'] = 'at once';
  let key = 'sk_test_stand_in';

  const fine = (data: unknown): StandInResponse => ({ status: 200, json: { status: true, message: 'ok', data } });
  const wrong = (code: string, message = 'No.', status = 400): StandInResponse => ({
    status,
    json: { status: false, message, code, type: 'validation_error' },
  });
  const shownCharge = ({ id, reference, amount, currency, metadata, paid, status }: Charge) => ({
    id,
    domain: 'test',
    reference,
    amount: paid ?? amount,
    currency,
    metadata,
    status,
    gateway_response: status === 'failed' ? 'Declined' : 'Approved',
  });
  const shownRefund = ({ id, charge, amount, note, status }: Refund) => ({
    id,
    transaction: charge.id,
    amount,
    currency: charge.currency,
    merchant_note: note,
    status,
  });

  const answer = ({ method, path, query, headers, body }: ReceivedRequest): StandInResponse | null => {
    if (headers.authorization !== `Bearer ${key}`) return wrong('invalid_Key', 'Invalid key', 401);
    const sent = method === 'POST' ? JSON.parse(body) : {};
    if (method === 'POST' && path === '/transaction/initialize') {
      if (!sent.email || !Number.isInteger(sent.amount)) return wrong('invalid_params');
      if (!/^[A-Za-z0-9.=-]+$/.test(sent.reference)) return wrong('invalid_params', 'Bad reference');
      if (charges.has(sent.reference)) return wrong('duplicate_reference', 'Duplicate Transaction Reference');
      charges.set(sent.reference, {
        id: 9_000_000_000 + charges.size,
        reference: sent.reference,
        amount: sent.amount,
        currency: sent.currency,
        metadata: sent.metadata,
        paid: null,
        status: 'abandoned',
      });
      return fine({
        authorization_url: `https://checkout.paystack.invalid/${charges.size}`,
        access_code: `code_${charges.size}`,
        reference: sent.reference,
      });
    }
    const named = /^\/transaction\/verify\/(.+)$/.exec(path)?.[1];
    if (method === 'GET' && named) {
      const charge = charges.get(decodeURIComponent(named));
      return charge ? fine(shownCharge(charge)) : wrong('transaction_not_found', 'Transaction reference not found.');
    }
    if (method === 'POST' && path === '/refund') {
      const charge = charges.get(sent.transaction);
      if (charge?.status !== 'success' || mode === 'refused') return wrong('transaction_not_refundable');
      const refund: Refund = {
        id: 7_000 + refunds.length,
        charge,
        amount: sent.amount,
        note: sent.merchant_note ?? null,
        status: mode === 'later' ? 'pending' : 'processed',
      };
      refunds.push(refund);
      return fine(shownRefund(refund));
    }
    if (method === 'GET' && path === '/refund')
      return fine(refunds.filter(({ charge }) => String(charge.id) === query.get('transaction')).map(shownRefund));
    return null;
  };

  const event = (type: string, data: unknown, by = key): Report => {
    const body = standIn.twist(JSON.stringify({ event: type, data }));
    return { headers: { 'X-Paystack-Signature': createHmac('sha512', by).update(body).digest('hex') }, body };
  };
  const reportOf = (reference: string, by?: string): Report =>
    event('charge.success', shownCharge(charges.get(reference)!), by);

  const standIn = await startStandIn(answer);
  return {
    name: 'bank_africa',
    variable: 'STOA_PAYSTACK_URL',
    standIn,
    get connection() {
      return { provider: 'bank_africa', credentials: { secret_key: key } };
    },
    changeKeys() {
      key = `sk_test_${randomUUID()}`;
    },
    get startedCount() {
      return charges.size;
    },
    get chargedCount() {
      return [...charges.values()].filter(({ status }) => status === 'success').length;
    },
    get refundsRequested() {
      return refunds.filter(({ note }) => note !== null).length;
    },
    get refundedAmounts() {
      return refunds.filter(({ status }) => status === 'processed').map(({ amount }) => amount);
    },
    get refunds() {
      return mode;
    },
    set refunds(wanted) {
      mode = wanted;
    },
    amountOf: (reference) => charges.get(reference)!.amount,
    pay: (reference, amount) => {
      Object.assign(charges.get(reference)!, { status: 'success', paid: amount ?? charges.get(reference)!.amount });
    },
    decline: (reference) => {
      charges.get(reference)!.status = 'failed';
    },
    report: (reference) => reportOf(reference),
    forge: (reference) => reportOf(reference, 'sk_test_somebody_else'),
    reportRefund: (reference, amount, own) => {
      const charge = charges.get(reference)!;
      let refund = refunds.find((one) => !own && one.charge === charge && one.status === 'pending');
      if (!refund) {
        refund = { id: 7_000 + refunds.length, charge, amount, note: null, status: 'pending' };
        refunds.push(refund);
      }
      refund.status = 'processed';
      return event('refund.processed', {
        status: 'processed',
        transaction_reference: reference,
        refund_reference: `13201${refund.id}`,
        amount: String(refund.amount),
        currency: charge.currency,
        domain: 'test',
      });
    },
  };
};
