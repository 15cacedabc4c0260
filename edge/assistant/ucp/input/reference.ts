// Ids by which a request names parts of its checkout: a line, a destination, a way of delivery. One that names nothing is
// refused, so that no part is ever taken for another. Methods and groups are named by the platform as it likes.
import { HANDLER_ID, INSTRUMENT } from '#edge/assistant/ucp/document/envelope.ts';
import { DESTINATION } from '#edge/assistant/ucp/document/fulfillment.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { instrumentAt, isPickup } from './checkout.ts';
import type { CheckoutInput, CompletionInput, Fulfillment, Method } from './schema.ts';

/** The checkout that a request changes. */
type Standing = Pick<CheckoutIntent, 'lines' | 'shipping_address'>;

interface Named {
  readonly id: string;
  readonly path: string;
}

const eachMethod = (fulfillment: Fulfillment | undefined) =>
  (fulfillment?.methods ?? []).map((method, at) => ({ method, path: `fulfillment.methods[${at}]` }));

const isKnownPlace = ({ type, destinations = [] }: Method, id: string, stands: Standing | null): boolean => {
  if (isPickup(id)) return true;
  if (type !== 'pickup' && id === DESTINATION && stands?.shipping_address) return true;
  return destinations.some((sent) => sent.id === id);
};

const unknownPlace = (fulfillment: Fulfillment | undefined, stands: Standing | null): Refusal | null => {
  for (const { method, path } of eachMethod(fulfillment)) {
    const { selected_destination_id: id } = method;
    if (!id || isKnownPlace(method, id, stands)) continue;
    return refuse('not_found', `No destination of this method has the id ${JSON.stringify(id)}.`, {
      param: `${path}.selected_destination_id`,
    });
  }
  return null;
};

/** All of a checkout travels in one way. */
const secondWay = (fulfillment: Fulfillment | undefined): Refusal | null => {
  const chosen = eachMethod(fulfillment).flatMap(({ method, path }): Named[] => [
    ...(method.groups ?? []).flatMap(({ selected_option_id: id }, at) =>
      id ? [{ id, path: `${path}.groups[${at}].selected_option_id` }] : [],
    ),
    ...(method.selected_destination_id && isPickup(method.selected_destination_id)
      ? [{ id: method.selected_destination_id, path: `${path}.selected_destination_id` }]
      : []),
  ]);
  const other = chosen.find(({ id }) => id !== chosen[0]!.id);
  return other
    ? refuse('invalid_request', 'All of a checkout travels in one way: select one option, and null in other places.', {
        param: other.path,
      })
    : null;
};

const linesNamed = (lines: CheckoutInput['line_items'], fulfillment: Fulfillment | undefined): Named[] => {
  const listed = (ids: readonly string[] | undefined, path: string) =>
    (ids ?? []).map((id, at) => ({ id, path: `${path}.line_item_ids[${at}]` }));
  return [
    ...lines.flatMap(({ id }, at) => (id === undefined ? [] : [{ id, path: `line_items[${at}].id` }])),
    ...eachMethod(fulfillment).flatMap(({ method, path }) => [
      ...listed(method.line_item_ids, path),
      ...(method.groups ?? []).flatMap(({ line_item_ids: ids }, at) => listed(ids, `${path}.groups[${at}]`)),
    ]),
  ];
};

export const unknownLine = (
  lines: CheckoutInput['line_items'],
  fulfillment: Fulfillment | undefined,
  known: readonly { readonly id: string }[],
): Refusal | null => {
  const ids = new Set(known.map(({ id }) => id));
  const unknown = linesNamed(lines, fulfillment).find(({ id }) => !ids.has(id));
  return unknown
    ? refuse('not_found', `No line item has the id ${JSON.stringify(unknown.id)}. New ones are sent without an id.`, {
        param: unknown.path,
      })
    : null;
};

/** Whether a change names parts that the checkout has to have already. */
export const namesStanding = ({ line_items, fulfillment }: CheckoutInput): boolean =>
  linesNamed(line_items, fulfillment).length > 0 ||
  eachMethod(fulfillment).some(({ method }) => method.selected_destination_id === DESTINATION);

/** What a request says of delivery that names nothing. */
export const unknownInNew = ({ fulfillment }: { readonly fulfillment?: Fulfillment }): Refusal | null =>
  unknownPlace(fulfillment, null) ?? secondWay(fulfillment);

/** The same of a change to the checkout that is there. */
export const unknownInChange = ({ line_items, fulfillment }: CheckoutInput, stands: Standing): Refusal | null =>
  unknownLine(line_items, fulfillment, stands.lines) ?? unknownPlace(fulfillment, stands) ?? secondWay(fulfillment);

/** The instrument that is to pay is one of a handler that the store declares, and of a kind that it takes. */
export const unknownInstrument = (sent: CompletionInput): Refusal | null => {
  const at = instrumentAt(sent);
  const instrument = sent.payment?.instruments?.[at];
  if (!instrument) return null;
  const wrong = (field: string, taken: string) =>
    refuse(
      'invalid_request',
      `This instrument’s ${field} is none that the store takes: send ${JSON.stringify(taken)}.`,
      {
        param: `payment.instruments[${at}].${field}`,
      },
    );
  if (instrument.handler_id !== HANDLER_ID) return wrong('handler_id', HANDLER_ID);
  return instrument.type === INSTRUMENT ? null : wrong('type', INSTRUMENT);
};
