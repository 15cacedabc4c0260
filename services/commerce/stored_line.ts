// Refusals of lines stored in a cart, quote or intent. If their variant is no longer sold, the code is
// `insufficient_stock`; `not_found` is for variants that the request names.
import { Refusal, refuse } from '#runtime/call/call.ts';

interface StoredLine {
  readonly variant_id: string;
  readonly quantity: number;
}

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
