// Serves `/s/<code>/orders/<order>`, where a buyer follows an order. Assistants and servers know the order's id, so the
// page also asks for the order's email address.
import { Refusal } from '#runtime/call/call.ts';
import { normalEmail } from '#values/text.ts';
import { orderDocument, orderEmailDocument } from './order_document.ts';
import { type PageCall, readForm } from './page_call.ts';
import { refusalPage, shopResponse } from './response.ts';

const UNKNOWN = 'The order at this address was not placed with that e-mail address.';

export const orderPage = async (call: PageCall): Promise<Response> => {
  const { context, core, name } = call;
  if (context.request.method !== 'POST') return shopResponse(call, orderEmailDocument(call, null));
  const tooOften = await call.attempt();
  if (tooOften) return refusalPage(context, tooOften);
  const form = await readForm(context);
  if (form instanceof Refusal) return refusalPage(context, form);
  const email = form.get('email')?.trim() ?? '';
  const order = await core.order(name);
  if (order instanceof Refusal) return refusalPage(context, order);
  if (email === '' || normalEmail(email) !== normalEmail(order.email))
    return shopResponse(call, orderEmailDocument(call, UNKNOWN), { status: 403 });
  return shopResponse(call, orderDocument(call, order));
};
