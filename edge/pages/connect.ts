// Serves `/connect/<ticket>`, where a merchant allows or denies an app access to the store and then returns to the app.
import { readBody } from '#edge/gates/body.ts';
import { EDGE_CALLER, ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { connectDocument } from './connect_document.ts';
import { messagePage, smallPage } from './small_page.ts';
import { smallPagePolicy } from './small_page_document.ts';

const TICKET = /^[A-Za-z0-9_-]{43}$/;
const QUERY_MAX = 8_192;
const TIMEOUT_MS = 10_000;
const FORM = 'application/x-www-form-urlencoded';
const FORM_LIMITS = { bytes_max: 1_024, raw: [FORM] };

const decoder = new TextDecoder();

export type ConnectPage = (context: RequestContext, ticket: string) => Promise<Response>;

const refused = (context: RequestContext, { code, message }: Refusal): Response => {
  switch (code) {
    case 'not_found':
    case 'conflict':
      return messagePage(
        context,
        code === 'conflict' ? 409 : 404,
        'This link no longer works',
        'The link may be incomplete, already used, or expired. Start again in the app.',
      );
    case 'invalid_request':
      return messagePage(context, 400, 'The app sent a faulty request', message);
    default:
      return messagePage(context, 503, 'Just a moment', 'The page cannot be shown now. Please try again.', {
        'Retry-After': '2',
      });
  }
};

const decisionOf = async (context: RequestContext): Promise<string | null> => {
  const body = await readBody(context.request, FORM_LIMITS);
  if (body instanceof Refusal || body.mediaType !== FORM) return null;
  return new URLSearchParams(decoder.decode(body.bytes)).get('decision');
};

export const connectPage =
  (wire: LinkClient): ConnectPage =>
  async (context, ticket) => {
    const { request } = context;
    const query = URL.parse(request.url)?.search.slice(1) ?? '';
    if (!TICKET.test(ticket)) return refused(context, new Refusal('not_found', ''));
    if (query.length > QUERY_MAX) return refused(context, new Refusal('invalid_request', 'The address is too long.'));
    const call = { caller: EDGE_CALLER, timeoutMs: TIMEOUT_MS, origin: context };
    const away = (location: string): Response =>
      messagePage(context, 303, 'Back to the app', 'You are being redirected.', { Location: location });
    if (request.method === 'POST') {
      const decision = await decisionOf(context);
      if (decision !== 'allow' && decision !== 'deny')
        return messagePage(context, 400, 'No decision was sent', 'Go back and choose one of the buttons.');
      const input = { ticket, query, allow: decision === 'allow' };
      const decided = await ownCall(wire, 'ConnectDirectory/DecideConsent', input, { ...call, write: true });
      return decided instanceof Refusal ? refused(context, decided) : away(decided.location);
    }
    const consent = await ownCall(wire, 'ConnectDirectory/ShowConsent', { ticket, query }, call);
    if (consent instanceof Refusal) return refused(context, consent);
    if (consent.location) return away(consent.location);
    return smallPage(context, 200, connectDocument(consent), smallPagePolicy([consent.redirect_uri]));
  };
