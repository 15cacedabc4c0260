// `/s/<code>/orders/<order>`: a buyer follows their order. Its id stands in what assistants and servers keep, so that it
// alone opens nothing: the e-mail address of the order does.
import { Refusal } from '#runtime/call/call.ts';
import { normalEmail } from '#values/typed_name.ts';
import { type PageCall, readForm } from './caller.ts';
import { orderDocument, orderDoorDocument } from './order_document.ts';
import { refusedPage, shopResponse } from './response.ts';

const UNKNOWN = 'No order of this address was placed with that e-mail address.';

export const orderPage = async (call: PageCall): Promise<Response> => {
  const { context, core, name } = call;
  if (context.request.method !== 'POST') return shopResponse(call, orderDoorDocument(call, null));
  const tooOften = await call.attempt();
  if (tooOften) return refusedPage(context, tooOften);
  const form = await readForm(context);
  if (form instanceof Refusal) return refusedPage(context, form);
  const email = form.get('email')?.trim() ?? '';
  const order = await core.order(name);
  if (order instanceof Refusal) return refusedPage(context, order);
  if (email === '' || normalEmail(email) !== normalEmail(order.email))
    return shopResponse(call, orderDoorDocument(call, UNKNOWN), { status: 403 });
  return shopResponse(call, orderDocument(call, order));
};
