// Safaricom's Daraja as its documentation describes it: the shopper confirms on their phone, and an unsigned report
// goes to the merchant's address. A query returns the result too, without the receipt.
import { randomUUID } from 'node:crypto';
import { type Provider, type ReceivedRequest, type Report, type StandInResponse, startStandIn } from './stand_in.ts';

interface Push {
  readonly id: string;
  readonly amount: number;
  readonly phone: string;
  readonly callback: string;
  paid: number | null;
  declined: boolean;
}

interface Reversal {
  readonly id: string;
  readonly amount: number;
  readonly receipt: string;
  readonly callback: string;
  done: boolean;
}

const ACCOUNT = {
  consumer_key: 'consumer',
  shortcode: '174379',
  passkey: 'pass key',
};
const INITIATOR = { initiator_name: 'stoa', security_credential: 'sealed' };

export const startDaraja = async (): Promise<Provider> => {
  const pushes = new Map<string, Push>();
  const reversals: Reversal[] = [];
  let mode: Provider['refunds'] = 'at once';
  let secret = 'consumer secret';

  const wrong = (status: number, errorCode: string): StandInResponse => ({
    status,
    json: { requestId: '1', errorCode, errorMessage: 'No.' },
  });
  const receipt = ({ id }: Push): string => `R${id.slice(-9).toUpperCase()}`;

  /** `Password` is base64 of short code, pass key and the time, which is Nairobi's. */
  const isSigned = ({
    BusinessShortCode: code,
    Password: password,
    Timestamp: time,
  }: Record<string, string>): boolean =>
    /^\d{14}$/.test(time ?? '') &&
    password === Buffer.from(`${code}${ACCOUNT.passkey}${time}`).toString('base64') &&
    code === ACCOUNT.shortcode;

  const answer = ({ method, path, query, headers, body }: ReceivedRequest): StandInResponse | null => {
    if (path === '/oauth/v1/generate') {
      const basic = Buffer.from(`${ACCOUNT.consumer_key}:${secret}`).toString('base64');
      return headers.authorization === `Basic ${basic}` && query.get('grant_type') === 'client_credentials'
        ? { status: 200, json: { access_token: `token of ${secret}`, expires_in: '3599' } }
        : wrong(400, '400.008.01');
    }
    if (headers.authorization !== `Bearer token of ${secret}`) return wrong(401, '404.001.03');
    if (method !== 'POST') return null;
    const sent = JSON.parse(body);
    if (path === '/mpesa/stkpush/v1/processrequest') {
      if (!isSigned(sent)) return wrong(400, '500.001.1001');
      if (!Number.isInteger(sent.Amount) || !/^254\d{9}$/.test(sent.PhoneNumber)) return wrong(400, '400.002.02');
      const id = `ws_CO_${randomUUID().replaceAll('-', '')}`;
      const push: Push = {
        id,
        amount: sent.Amount,
        phone: sent.PhoneNumber,
        callback: sent.CallBackURL,
        paid: null,
        declined: false,
      };
      pushes.set(id, push);
      const json = { MerchantRequestID: '1', CheckoutRequestID: id, ResponseCode: '0', CustomerMessage: 'Accepted' };
      return { status: 200, json };
    }
    if (path === '/mpesa/stkpushquery/v1/query') {
      const push = pushes.get(sent.CheckoutRequestID);
      if (!isSigned(sent) || !push) return wrong(400, '400.002.02');
      if (push.paid === null && !push.declined) return wrong(500, '500.001.1001');
      const code = push.declined ? '1032' : '0';
      return { status: 200, json: { ResponseCode: '0', CheckoutRequestID: push.id, ResultCode: code } };
    }
    if (path === '/mpesa/reversal/v1/request') {
      if (mode === 'refused' || sent.CommandID !== 'TransactionReversal') return wrong(400, '400.002.02');
      const id = `AG_${reversals.length + 1}`;
      const { Amount: amount, TransactionID, ResultURL } = sent;
      reversals.push({ id, amount, receipt: TransactionID, callback: ResultURL, done: false });
      return { status: 200, json: { ConversationID: id, OriginatorConversationID: '1', ResponseCode: '0' } };
    }
    return null;
  };

  const reportOf = (id: string): Report & { url: string } => {
    const push = pushes.get(id)!;
    const metadata = {
      CallbackMetadata: {
        Item: [
          { Name: 'Amount', Value: push.paid },
          { Name: 'MpesaReceiptNumber', Value: receipt(push) },
          { Name: 'TransactionDate', Value: 20260101000000 },
          { Name: 'PhoneNumber', Value: Number(push.phone) },
        ],
      },
    };
    const outcome = push.declined ? { ResultCode: 1032 } : { ResultCode: 0, ...metadata };
    const stkCallback = { MerchantRequestID: '1', CheckoutRequestID: id, ResultDesc: '', ...outcome };
    return { url: push.callback, headers: {}, body: standIn.twist(JSON.stringify({ Body: { stkCallback } })) };
  };

  const standIn = await startStandIn(answer);
  return {
    name: 'mobile_money',
    variable: 'STOA_DARAJA_URL',
    standIn,
    get connection() {
      return { provider: 'mobile_money', credentials: { ...ACCOUNT, consumer_secret: secret, ...INITIATOR } };
    },
    changeKeys() {
      secret = randomUUID();
    },
    get startedCount() {
      return pushes.size;
    },
    get chargedCount() {
      return [...pushes.values()].filter(({ paid }) => paid !== null).length;
    },
    get refundsRequested() {
      return reversals.length;
    },
    get refundedAmounts() {
      return reversals.filter(({ done }) => done).map(({ amount }) => amount);
    },
    get refunds() {
      return mode;
    },
    set refunds(wanted) {
      mode = wanted;
    },
    amountOf: (id) => pushes.get(id)!.amount,
    pay: (id, amount) => {
      pushes.get(id)!.paid = amount ?? pushes.get(id)!.amount;
    },
    decline: (id) => {
      pushes.get(id)!.declined = true;
    },
    report: reportOf,
    forge: (id) => {
      const { url, ...report } = reportOf(id);
      return { ...report, url: url.replace(/token=.{6}/, 'token=forged') };
    },
    reportRefund: (id) => {
      const name = receipt(pushes.get(id)!);
      const reversal = reversals.find(({ receipt: of, done }) => of === name && !done)!;
      reversal.done = true;
      const Result = { ResultType: 0, ResultCode: 0, ConversationID: reversal.id, TransactionID: 'T1' };
      return { url: reversal.callback, headers: {}, body: JSON.stringify({ Result }) };
    },
  };
};
