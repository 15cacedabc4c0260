// Serves the sandbox's pay page. `/pay/<reference>` shows a simulated payment, takes the shopper's decision and returns
// to the store. Providers' own pages return to `/pay/returned` if the store gave no return URL.

import { readBody } from '#edge/gates/body.ts';
import { EDGE_CALLER, ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { SimulatedPayment } from '#proto/gen/payment_simulator.ts';
import type { RpcRequest } from '#proto/gen/rpcs.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { payDocument } from './pay_document.ts';
import { messagePage as note, smallPage as respond } from './small_page.ts';
import { smallPagePolicy } from './small_page_document.ts';
import type { StoreBrand } from './store_brand.ts';

const REFERENCE = /^pay_[0-9A-Za-z]{1,64}$/;
const RETURNED = 'returned';
const TIMEOUT_MS = 10_000;
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMITS = { bytes_max: 1_024, raw: [FORM] };

const decoder = new TextDecoder();

type Outcome = RpcRequest<'PaymentSimulator/DecideSimulated'>['outcome'];

export type PayPage = (context: RequestContext, reference: string) => Promise<Response>;

export const backOf = ({ provider, status, reference, success_url, cancel_url }: SimulatedPayment): string | null => {
  const approved = status === 'succeeded' || status === 'authorized' || status === 'refunded';
  const url = URL.parse((approved ? success_url : cancel_url) ?? '');
  if (url === null) return null;
  // Adds the payment's reference to the return URL, as Paystack does.
  if (provider === 'bank_africa') url.searchParams.set('reference', reference);
  return url.href;
};

export const payPage = (wire: LinkClient): PayPage => {
  const callOf = (context: RequestContext) => ({ caller: EDGE_CALLER, timeoutMs: TIMEOUT_MS, origin: context });
  const show = (context: RequestContext, reference: string) =>
    ownCall(wire, 'PaymentSimulator/ShowSimulated', { reference }, callOf(context));
  const settle = (context: RequestContext, reference: string, outcome: Outcome) =>
    ownCall(wire, 'PaymentSimulator/DecideSimulated', { reference, outcome }, { ...callOf(context), write: true });

  const lookOf = async (context: RequestContext, store: string): Promise<StoreBrand | null> => {
    const profile = await ownCall(wire, 'StoreDirectory/GetProfile', { store }, callOf(context));
    return profile instanceof Refusal ? null : profile;
  };

  const refused = (context: RequestContext, refusal: Refusal): Response =>
    refusal.code === 'not_found'
      ? note(context, 404, 'No such payment', 'The address may be incomplete. Go back to the store and try again.')
      : note(context, 503, 'Just a moment', 'The payment cannot be shown now. Please try again.', {
          'Retry-After': '2',
        });

  const decide = async (context: RequestContext, reference: string): Promise<Response> => {
    const body = await readBody(context.request, FORM_LIMITS);
    const outcome =
      body instanceof Refusal || body.mediaType !== FORM
        ? null
        : new URLSearchParams(decoder.decode(body.bytes)).get('outcome');
    if (outcome !== 'succeed' && outcome !== 'fail' && outcome !== 'expire')
      return note(context, 400, 'No decision was sent', 'Go back and choose one of the buttons.');
    let decided = await settle(context, reference, outcome);
    // Shows the state of a payment that was decided earlier or has expired.
    if (decided instanceof Refusal && decided.code === 'conflict') decided = await show(context, reference);
    if (decided instanceof Refusal) return refused(context, decided);
    const back = backOf(decided) ?? `/pay/${reference}`;
    return note(context, 303, 'Back to the store', 'You are being redirected.', { Location: back });
  };

  return async (context, reference) => {
    if (reference === RETURNED && context.request.method !== 'POST')
      return note(context, 200, 'Thank you', 'You can close this page and go back to the store.');
    if (!REFERENCE.test(reference))
      return note(
        context,
        404,
        'No such payment',
        'The address may be incomplete. Go back to the store and try again.',
      );
    if (context.request.method === 'POST') return decide(context, reference);
    const payment = await show(context, reference);
    if (payment instanceof Refusal) return refused(context, payment);
    const look = await lookOf(context, payment.store);
    const policy = smallPagePolicy([payment.success_url, payment.cancel_url], look);
    return respond(context, 200, payDocument(payment, backOf(payment), look), policy);
  };
};
