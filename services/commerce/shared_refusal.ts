// Refusals that many domains make, each in one wording.
import { invalid, type Refusal, refuse } from '#runtime/call/call.ts';
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
