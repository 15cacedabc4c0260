// Refusals that many domains make, each in one wording.
import { invalid, quoted, Refusal, refuse } from '#runtime/call/call.ts';
import type { Currency } from '#values/currency.ts';
import { MAJOR_MAX } from '#values/money.ts';

export const badAmount = (param: string, amount: number, { code, exponent }: Currency): Refusal =>
  invalid(
    param,
    Math.abs(amount) > MAJOR_MAX
      ? `\`${param}\` is ${amount}: amounts are at most 99,999,999.99.`
      : `\`${param}\` is ${amount}: amounts in ${code} have at most ${exponent} decimals.`,
  );

export const pastTime = (param: string, text: string): Refusal =>
  invalid(param, `\`${param}\` is ${text}, which is in the past. Send a later time.`);

/** Refuses a total above the largest amount, since no order can be placed for it. */
export const excessiveTotal = (total: number, param?: string): Refusal =>
  refuse(
    'invalid_request',
    `The total is ${total}: an order's total is at most 99,999,999.99. Split the order.`,
    param === undefined ? {} : { param },
  );

/** `subject` begins the message, such as "An order". A command without a status in its body has no `param`. */
export const impossibleTransition = (subject: string, from: string, to: string, param?: string): Refusal =>
  refuse('conflict', `${subject} that is ${from} cannot become ${to}.`, param === undefined ? {} : { param });

export const unknownCurrency = (code: string | null | undefined, param = 'currency'): Refusal =>
  invalid(param, `The currency ${quoted(code ?? '')} is not in ISO 4217. Send a code such as USD.`);

export const unknownCountry = (code: string | null | undefined, param = 'country'): Refusal =>
  invalid(param, `The country ${quoted(code ?? '')} is not in ISO 3166-1. Send a code such as KE.`);

interface StoredLine {
  readonly variant_id: string;
  readonly quantity: number;
}

/** For a line stored in a cart, quote or intent; `not_found` is for variants that the request names. */
export const noLongerSold = ({ variant_id, quantity }: StoredLine, param: string): Refusal =>
  refuse('insufficient_stock', 'A product of this cart, quote or checkout is no longer sold. Remove it and retry.', {
    param,
    details: `${variant_id}: ${quantity} wanted, 0 available`,
  });

const VARIANT = /^(?:items|lines)\[(\d+)\]\.variant_id$/;

export const mapStoredLineRefusal = <T>(
  answer: T | Refusal,
  lines: readonly StoredLine[],
  param: string,
): T | Refusal => {
  if (!(answer instanceof Refusal) || answer.code !== 'not_found') return answer;
  const line = lines[Number(VARIANT.exec(answer.extra.param ?? '')?.[1])];
  return line ? noLongerSold(line, param) : answer;
};
