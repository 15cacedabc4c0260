// A custom provider as the contract describes it: Stoa calls its two URLs, and both sides sign their requests like
// webhooks.
import { createHmac, randomUUID } from 'node:crypto';
import { type Provider, type ReceivedRequest, type Report, type StandInResponse, startStandIn } from './stand_in.ts';

interface Till {
  readonly id: string;
  readonly reference: string;
  readonly amount: number;
  readonly currency: string;
  readonly callback: string;
  paid: number | null;
  declined: boolean;
}

export const startMerchant = async (now: () => number): Promise<Provider> => {
  const tills = new Map<string, Till>();
  const back: number[] = [];
  const asked = new Map<string, string>();

  let secret = 'a-secret-of-both-sides';
  const sign = (body: string, seconds: number, by = secret): string =>
    `t=${seconds},v1=${createHmac('sha256', by).update(`${seconds}.${body}`).digest('hex')}`;
  const statusOf = ({ reference, amount, currency, paid, declined }: Till) => ({
    reference,
    status: declined ? 'failed' : paid === null ? 'pending' : 'succeeded',
    amount: paid ?? amount,
    currency,
  });

  const answer = ({ path, headers, body }: ReceivedRequest): StandInResponse | null => {
    const given = String(headers['x-svc-signature'] ?? '');
    const seconds = Number(/^t=(\d+),/.exec(given)?.[1]);
    if (given !== sign(body, seconds)) return { status: 401, json: { error: 'signature' } };
    const sent = JSON.parse(body);
    if (path === '/initialize') {
      const key = String(headers['idempotency-key']);
      const id = asked.get(key) ?? `till_${tills.size + 1}`;
      asked.set(key, id);
      if (!tills.has(id))
        tills.set(id, {
          id,
          reference: sent.reference,
          amount: sent.amount,
          currency: sent.currency,
          callback: sent.callback_url,
          paid: null,
          declined: false,
        });
      return { status: 200, json: { session_id: id, checkout_url: `https://pay.shop.invalid/${id}` } };
    }
    const till = tills.get(sent.session_id);
    return path === '/verify' && till ? { status: 200, json: statusOf(till) } : null;
  };

  const report = (till: Till, content: object, by?: string): Report => {
    const body = standIn.twist(JSON.stringify(content));
    const signature = sign(body, Math.floor(now() / 1_000), by);
    return { url: till.callback, headers: { 'X-Svc-Signature': signature }, body };
  };

  const standIn = await startStandIn(answer);
  return {
    name: 'corner_bank',
    variable: '',
    standIn,
    get connection() {
      return {
        provider: 'corner_bank',
        name: 'Corner bank',
        custom_provider: true,
        initialize_url: `${standIn.url}/initialize`,
        verify_url: `${standIn.url}/verify`,
        signing_secret: secret,
      };
    },
    changeKeys() {
      secret = randomUUID();
    },
    get startedCount() {
      return tills.size;
    },
    get chargedCount() {
      return [...tills.values()].filter(({ paid }) => paid !== null).length;
    },
    get refundsRequested() {
      return 0;
    },
    get refundedAmounts() {
      return back;
    },
    // A custom provider receives `order.refunded` and refunds later.
    get refunds() {
      return 'later' as const;
    },
    set refunds(_wanted) {},
    amountOf: (id) => tills.get(id)!.amount,
    pay: (id, amount) => {
      tills.get(id)!.paid = amount ?? tills.get(id)!.amount;
    },
    decline: (id) => {
      tills.get(id)!.declined = true;
    },
    report: (id) => report(tills.get(id)!, statusOf(tills.get(id)!)),
    forge: (id) => report(tills.get(id)!, statusOf(tills.get(id)!), 'a-secret-of-another-sender'),
    reportRefund: (id, amount) => {
      const { reference, currency } = tills.get(id)!;
      back.push(amount);
      const content = { reference, status: 'refunded', amount, currency, refund_id: `back_${back.length}` };
      return report(tills.get(id)!, content);
    },
  };
};
