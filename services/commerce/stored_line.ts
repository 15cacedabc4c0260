// Refusals about stored lines, which a request names as a whole: those of a cart, a quote, an intent. A variant of theirs
// that is not sold any more is out of stock; only a variant that the request itself names is not found.
import { Refusal, refuse } from '#runtime/call/call.ts';

interface StoredLine {
  readonly variant_id: string;
  readonly quantity: number;
}

export const noLongerSold = ({ variant_id, quantity }: StoredLine, param: string): Refusal =>
  refuse('insufficient_stock', 'One of its products is not sold any more.', {
    param,
    details: `${variant_id}: ${quantity} wanted, 0 available`,
  });

const VARIANT = /^(?:items|lines)\[(\d+)\]\.variant_id$/;

/** Answers `insufficient_stock` where another domain answered `not_found` about one of these lines. */
export const mapStoredLineRefusal = <T>(
  answer: T | Refusal,
  lines: readonly StoredLine[],
  param: string,
): T | Refusal => {
  if (!(answer instanceof Refusal) || answer.code !== 'not_found') return answer;
  const line = lines[Number(VARIANT.exec(answer.extra.param ?? '')?.[1])];
  return line ? noLongerSold(line, param) : answer;
};
