// Completes the message "No such order." with the id that the request named, so that a log line shows which one.
import { Refusal } from '#runtime/call/call.ts';
import type { Params } from './endpoint.ts';

/** Other values, such as codes of gift cards, may be secret and are not repeated. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_SUCH = /^No such [^.]+(?=\.$)/;

const valueAt = (input: unknown, path: string): unknown => {
  let value = input;
  for (const step of path.split(/[.[\]]+/).filter((name) => name !== '')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Readonly<Record<string, unknown>>)[step];
  }
  return value;
};

/**
 * Returns the refusal with the id at its `param`, or without `param` with the only id of the path. Other refusals stay as
 * they are.
 */
export const withRequestedId = (
  refusal: Refusal,
  input: Readonly<Record<string, unknown>>,
  params: Params,
): Refusal => {
  const { code, message, extra } = refusal;
  if (code !== 'not_found' || !NO_SUCH.test(message)) return refusal;
  const ids = Object.values(params);
  const id = extra.param === undefined ? (ids.length === 1 ? ids[0] : undefined) : valueAt(input, extra.param);
  if (typeof id !== 'string' || !UUID.test(id)) return refusal;
  return new Refusal(
    code,
    message.replace(NO_SUCH, (begin) => `${begin}: ${id}`),
    extra,
  );
};
