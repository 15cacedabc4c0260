// Refuses unknown ids of lines, destinations and options in a request. Ids of methods and groups are free: platforms
// choose them.
import { HANDLER_ID, INSTRUMENT } from '#edge/assistant/ucp/document/envelope.ts';
import { DESTINATION } from '#edge/assistant/ucp/document/fulfillment.ts';
import type { CheckoutIntent } from '#proto/gen/agent.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { instrumentAt, isPickup } from './checkout.ts';
import type { CheckoutInput, CompletionInput, Fulfillment, Method } from './schema.ts';

type ExistingCheckout = Pick<CheckoutIntent, 'lines' | 'shipping_address'>;

interface Reference {
  readonly id: string;
  readonly path: string;
}

const eachMethod = (fulfillment: Fulfillment | undefined) =>
  (fulfillment?.methods ?? []).map((method, at) => ({ method, path: `fulfillment.methods[${at}]` }));

const isKnownDestination = (
  { type, destinations = [] }: Method,
  id: string,
  existing: ExistingCheckout | null,
): boolean => {
  if (isPickup(id)) return true;
  if (type !== 'pickup' && id === DESTINATION && existing?.shipping_address) return true;
  return destinations.some((sent) => sent.id === id);
};

const unknownDestination = (
  fulfillment: Fulfillment | undefined,
  existing: ExistingCheckout | null,
): Refusal | null => {
  for (const { method, path } of eachMethod(fulfillment)) {
    const { selected_destination_id: id } = method;
    if (!id || isKnownDestination(method, id, existing)) continue;
    return refuse('not_found', `No destination of this method has the id ${JSON.stringify(id)}.`, {
      param: `${path}.selected_destination_id`,
    });
  }
  return null;
};

/** Refuses a second selected option: a checkout has only one. */
const secondOption = (fulfillment: Fulfillment | undefined): Refusal | null => {
  const chosen = eachMethod(fulfillment).flatMap(({ method, path }): Reference[] => [
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

const lineReferences = (lines: CheckoutInput['line_items'], fulfillment: Fulfillment | undefined): Reference[] => {
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
  const unknown = lineReferences(lines, fulfillment).find(({ id }) => !ids.has(id));
  return unknown
    ? refuse('not_found', `No line item has the id ${JSON.stringify(unknown.id)}. New ones are sent without an id.`, {
        param: unknown.path,
      })
    : null;
};

export const namesExisting = ({ line_items, fulfillment }: CheckoutInput): boolean =>
  lineReferences(line_items, fulfillment).length > 0 ||
  eachMethod(fulfillment).some(({ method }) => method.selected_destination_id === DESTINATION);

export const unknownInNew = ({ fulfillment }: { readonly fulfillment?: Fulfillment }): Refusal | null =>
  unknownDestination(fulfillment, null) ?? secondOption(fulfillment);

export const unknownInChange = (
  { line_items, fulfillment }: CheckoutInput,
  existing: ExistingCheckout,
): Refusal | null =>
  unknownLine(line_items, fulfillment, existing.lines) ??
  unknownDestination(fulfillment, existing) ??
  secondOption(fulfillment);

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
