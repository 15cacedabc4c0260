// Lines that something keeps, which a request names as a whole: a cart, a quote, an intent. What of them is not sold any
// more was there, and cannot be bought now; what the request itself names is not found.
import { Refusal, refuse } from './call.ts';

interface KeptLine {
  readonly variant_id: string;
  readonly quantity: number;
}

export const notSold = ({ variant_id, quantity }: KeptLine, param: string): Refusal =>
  refuse('insufficient_stock', 'One of its products is not sold any more.', {
    param,
    details: `${variant_id}: ${quantity} wanted, 0 available`,
  });

const VARIANT = /^(?:items|lines)\[(\d+)\]\.variant_id$/;

/** What a neighbour answers to these lines, as what keeps them hears it. */
export const ofKept = <T>(answer: T | Refusal, lines: readonly KeptLine[], param: string): T | Refusal => {
  if (!(answer instanceof Refusal) || answer.code !== 'not_found') return answer;
  const line = lines[Number(VARIANT.exec(answer.extra.param ?? '')?.[1])];
  return line ? notSold(line, param) : answer;
};
