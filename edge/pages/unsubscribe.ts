// Serves `/mail/unsubscribe/<token>`, by which the reader of a mail unsubscribes from a store's marketing. Opening the page
// changes nothing, because mail programs open links by themselves; its button does, and so does a mail program's own POST
// (RFC 8058).
import { EDGE_CALLER, ownCall } from '#edge/own_call.ts';
import type { RequestContext } from '#edge/request_context.ts';
import type { SubscriptionResponse } from '#proto/gen/mail_suppression.ts';
import { Refusal } from '#runtime/call/call.ts';
import type { LinkClient } from '#runtime/link/frame.ts';
import { messagePage, smallPage } from './small_page.ts';
import { escaped, smallPageDocument, smallPagePolicy } from './small_page_document.ts';
import type { StoreBrand } from './store_brand.ts';

const TIMEOUT_MS = 5_000;

const unsubscribeDocument = ({ email, unsubscribed }: SubscriptionResponse, store: StoreBrand): string => {
  const [title, text] = unsubscribed
    ? ['You are unsubscribed', `${store.name} sends no more news to ${email}. Mails about your orders still arrive.`]
    : ['Unsubscribe', `Should ${store.name} stop sending news to ${email}? Mails about your orders still arrive.`];
  const form = unsubscribed ? '' : '<form method="post"><button class="go">Unsubscribe</button></form>';
  return smallPageDocument(
    title,
    `<div class="sheet"><h1>${title}</h1><p class="soft">${escaped(text)}</p>${form}</div>`,
    store,
  );
};

export const unsubscribePage = (wire: LinkClient) => {
  const refused = (context: RequestContext, refusal: Refusal): Response =>
    refusal.code === 'not_found'
      ? messagePage(context, 404, 'No such page', 'The address may be incomplete. Open the link in the mail again.')
      : messagePage(context, 503, 'Just a moment', 'You cannot be unsubscribed now. Please try again.', {
          'Retry-After': '2',
        });

  return async (context: RequestContext, token: string): Promise<Response> => {
    const call = { caller: EDGE_CALLER, timeoutMs: TIMEOUT_MS, origin: context };
    const writes = context.request.method === 'POST';
    const reply = await ownCall(
      wire,
      writes ? 'MailReader/Unsubscribe' : 'MailReader/ShowSubscription',
      { token },
      {
        ...call,
        write: writes,
      },
    );
    if (reply instanceof Refusal) return refused(context, reply);
    const store = await ownCall(wire, 'StoreDirectory/GetProfile', { store: reply.store_id }, call);
    if (store instanceof Refusal) return refused(context, store);
    return smallPage(context, 200, unsubscribeDocument(reply, store), smallPagePolicy([], store));
  };
};
