// Serves the simulator's card fields: a script for shops' pages, in the shape of Stripe's Payment Element, and the framed
// page that it mounts, which alone sees the card's number. A declined card leaves the payment open for another one.
import { createHash } from 'node:crypto';
import { commonHeaders } from '#edge/answer.ts';
import { readBody } from '#edge/gates/body.ts';
import { EDGE_CALLER, ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { SimulatedPayment } from '#proto/gen/payment_simulator.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { COLOURS } from './colour.ts';
import { messagePage } from './small_page.ts';
import { REVALIDATED, StaticAsset } from './static_asset.ts';

const REFERENCE = /^pay_[0-9A-Za-z]{1,64}$/;
const TIMEOUT_MS = 10_000;
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMITS = { bytes_max: 1_024, raw: [FORM] };
const DECLINED_NUMBER = '4000000000000002';
const DIGITS = /^\d{13,19}$/;

const decoder = new TextDecoder();

/** Luhn's check digit. */
const isCardNumber = (number: string): boolean => {
  if (!DIGITS.test(number)) return false;
  const sum = [...number].reverse().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
};

const ELEMENT_SCRIPT = `(() => {
const origin = new URL(document.currentScript.src).origin;
window.StoaSimulator = () => ({
  elements({ clientSecret }) {
    const reference = clientSecret.split('_secret_')[0];
    const frame = document.createElement('iframe');
    frame.title = 'Card';
    frame.src = origin + '/pay/' + reference + '/element';
    frame.width = '100%';
    frame.height = '230';
    frame.setAttribute('frameborder', '0');
    const element = {
      mount(place) {
        (typeof place === 'string' ? document.querySelector(place) : place).append(frame);
      },
      unmount() { frame.remove(); },
      destroy() { frame.remove(); },
    };
    return { frame, create: () => element, getElement: () => element };
  },
  confirmPayment({ elements: { frame }, confirmParams, redirect }) {
    return new Promise((done) => {
      const hear = ({ source, origin: from, data }) => {
        if (source !== frame.contentWindow || from !== origin || data?.type !== 'confirmed') return;
        removeEventListener('message', hear);
        if (data.error) return done({ error: data.error });
        if (redirect !== 'if_required') return location.assign(confirmParams.return_url);
        done({ paymentIntent: { status: data.status } });
      };
      addEventListener('message', hear);
      frame.contentWindow.postMessage({ type: 'confirm' }, origin);
    });
  },
});
})();
`;

const FRAME_STYLE = `${COLOURS}*{box-sizing:border-box}
body{margin:0;padding:2px;background:transparent;color:var(--ink);font:1rem/1.5 system-ui,sans-serif}
form{display:grid;gap:.75rem;grid-template-columns:1fr 1fr}
label{display:grid;gap:.25rem;font-size:.9375rem}
label:first-child,p{grid-column:1/-1}
input{width:100%;min-height:44px;padding:.55rem .8rem;border:1px solid var(--strong);border-radius:.6rem;background:var(--sheet);color:inherit;font:inherit}
input:focus-visible{outline:3px solid var(--go);outline-offset:-1px}
[aria-invalid=true]{border-color:var(--no)}
p{margin:0;color:var(--soft);font-size:.875rem}
`;

const FRAME_SCRIPT = `
const form = document.querySelector('form');
const answer = (said) => parent.postMessage({ type: 'confirmed', ...said }, '*');
let busy = false;
const confirmCard = async () => {
  if (busy) return;
  busy = true;
  try {
    const reply = await fetch(location.pathname, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    const said = await reply.json();
    // The shop's page shows the error's message.
    form.number.setAttribute('aria-invalid', Boolean(said.error));
    answer(said);
  } catch {
    answer({ error: { type: 'api_connection_error', message: 'The simulator cannot be reached. Try again.' } });
  }
  busy = false;
};
addEventListener('message', ({ source, data }) => {
  if (source === parent && data?.type === 'confirm') void confirmCard();
});
form.addEventListener('submit', (event) => event.preventDefault());
`;

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const FRAME_POLICY = [
  "default-src 'none'",
  `style-src ${hash(FRAME_STYLE)}`,
  `script-src ${hash(FRAME_SCRIPT)}`,
  "connect-src 'self'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  // Allows shops at every address, since the page moves no money.
  'frame-ancestors https: http:',
].join('; ');

const FRAME_DOCUMENT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Card</title>
<link rel="icon" href="data:,">
<style>${FRAME_STYLE}</style>
</head>
<body>
<form>
<label>Card number<input name="number" inputmode="numeric" autocomplete="off" maxlength="23" value="4242 4242 4242 4242" aria-describedby="hint"></label>
<label>Expires<input name="expiry" inputmode="numeric" autocomplete="off" maxlength="7" value="12 / 34"></label>
<label>Security code<input name="cvc" inputmode="numeric" autocomplete="off" maxlength="4" value="123"></label>
<p id="hint">Sandbox: no money moves. 4000 0000 0000 0002 is declined.</p>
</form>
<script>${FRAME_SCRIPT}</script>
</body>
</html>
`;

const frameBody = new TextEncoder().encode(FRAME_DOCUMENT);

const OPEN = ['pending', 'opening'];
const PAID = ['succeeded', 'authorized', 'refunded'];

const failed = (type: string, code: string, message: string) => ({ error: { type, code, message } });
const NOT_A_CARD = failed('validation_error', 'invalid_number', 'This is no card number.');
const DECLINED = failed('card_error', 'card_declined', 'The card was declined. Nothing was paid: try another one.');
const GONE = failed('invalid_request_error', 'payment_intent_unexpected_state', 'This payment has ended. Start again.');
const UNREACHABLE = failed('api_error', 'unavailable', 'The payment cannot be made now. Please try again.');

export interface PayElement {
  script(context: RequestContext): Promise<Response>;
  frame(context: RequestContext, reference: string): Promise<Response>;
}

export const payElement = (wire: LinkClient): PayElement => {
  const script = new StaticAsset('text/javascript; charset=utf-8', () => new TextEncoder().encode(ELEMENT_SCRIPT));
  const callOf = (context: RequestContext) => ({ caller: EDGE_CALLER, timeoutMs: TIMEOUT_MS, origin: context });

  const answer = (context: RequestContext, status: number, said: object): Response => {
    const headers = { ...commonHeaders(context, 'application/json'), 'Cache-Control': 'no-store' };
    return new Response(JSON.stringify(said), { status, headers });
  };

  const outcome = (context: RequestContext, payment: SimulatedPayment | Refusal): Response => {
    if (payment instanceof Refusal)
      return payment.code === 'not_found' || payment.code === 'conflict'
        ? answer(context, 409, GONE)
        : answer(context, 503, UNREACHABLE);
    if (!PAID.includes(payment.status)) return answer(context, 409, GONE);
    return answer(context, 200, { status: payment.status === 'authorized' ? 'requires_capture' : 'succeeded' });
  };

  const confirm = async (context: RequestContext, reference: string): Promise<Response> => {
    const body = await readBody(context.request, FORM_LIMITS);
    const isForm = !(body instanceof Refusal) && body.mediaType === FORM;
    const number = isForm ? (new URLSearchParams(decoder.decode(body.bytes)).get('number') ?? '') : '';
    const digits = number.replace(/[\s-]/g, '');
    if (!isCardNumber(digits)) return answer(context, 400, NOT_A_CARD);
    const show = () => ownCall(wire, 'PaymentSimulator/ShowSimulated', { reference }, callOf(context));
    const shown = await show();
    if (shown instanceof Refusal || !OPEN.includes(shown.status)) return outcome(context, shown);
    if (digits === DECLINED_NUMBER) return answer(context, 402, DECLINED);
    const decision = { reference, outcome: 'succeed' as const };
    const call = { ...callOf(context), write: true };
    const decided = await ownCall(wire, 'PaymentSimulator/DecideSimulated', decision, call);
    // Another try may have paid meanwhile.
    const isLate = decided instanceof Refusal && decided.code === 'conflict';
    return outcome(context, isLate ? await show() : decided);
  };

  return {
    script: (context) => script.respond(context, REVALIDATED),

    frame: async (context, reference) => {
      if (!REFERENCE.test(reference))
        return messagePage(context, 404, 'No such payment', 'The address may be incomplete.');
      if (context.request.method === 'POST') return confirm(context, reference);
      const headers = {
        ...commonHeaders(context, 'text/html; charset=utf-8'),
        'Cache-Control': 'no-store',
        'Content-Security-Policy': FRAME_POLICY,
        'Referrer-Policy': 'no-referrer',
        'X-Robots-Tag': 'noindex',
      };
      const isHead = context.request.method === 'HEAD';
      if (isHead) Object.assign(headers, { 'Content-Length': `${frameBody.length}` });
      return new Response(isHead ? null : frameBody, { headers });
    },
  };
};
