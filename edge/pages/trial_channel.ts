// Serves `POST /sandbox/channel`, a sales channel for trying out pushes. Accepts new products that can be bought,
// rejects others with a message, and stores nothing.
import { commonHeaders, refusalResponse } from '#edge/answer.ts';
import { readBody } from '#edge/gates/body.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';

const NDJSON = 'application/x-ndjson';
/** Exceeds the largest push. */
const LIMITS = { bytes_max: 5 << 20, raw: [NDJSON] };
/** Bounds memory, because the endpoint needs no key. */
const CONCURRENT_PUSHES_MAX = 4;
const SLICE_LINES = 50;

type Line = Readonly<Record<string, unknown>>;

const isLine = (value: unknown): value is Line => typeof value === 'object' && value !== null && !Array.isArray(value);

const idOf = ({ product_id, itemGroupId, id }: Line): string => String(product_id ?? itemGroupId ?? id ?? '');

const isUsed = (line: Line): boolean => {
  const variants = Array.isArray(line.variants) ? line.variants.filter(isLine) : [];
  return [line, ...variants].some(({ condition = 'new' }) => condition === 'used' || condition === 'refurbished');
};

export const rejectionOf = (line: Line): string | null => {
  if (line.deleted === true) return null;
  if (isUsed(line)) return 'Only new products are listed here.';
  if ((line.total_stock ?? line.stock) === 0) return 'The product is sold out. It is listed when it is back in stock.';
  return null;
};

const read = (text: string): Line | null => {
  try {
    const line: unknown = JSON.parse(text);
    return isLine(line) ? line : null;
  } catch {
    return null;
  }
};

const BUSY = refuse(
  'service_unavailable',
  `The channel is already processing ${CONCURRENT_PUSHES_MAX} pushes. Retry after a second.`,
);
const NOT_LINES = refuse('invalid_request', 'The body must have one JSON object per line.');

const resultsOf = async (text: string): Promise<object[] | Refusal> => {
  const results: object[] = [];
  for (const [at, part] of text.trimEnd().split('\n').entries()) {
    if (at % SLICE_LINES === SLICE_LINES - 1) await new Promise((resume) => setImmediate(resume));
    const line = read(part);
    if (line === null) return NOT_LINES;
    const message = rejectionOf(line);
    const product_id = idOf(line);
    results.push(message === null ? { product_id, status: 'accepted' } : { product_id, status: 'rejected', message });
  }
  return results;
};

const decoder = new TextDecoder();

export const openTrialChannel = (): ((context: RequestContext) => Promise<Response>) => {
  let running = 0;
  return async (context) => {
    if (running >= CONCURRENT_PUSHES_MAX) return refusalResponse(context, BUSY, { 'Retry-After': '1' });
    running++;
    try {
      const body = await readBody(context.request, LIMITS);
      if (body instanceof Refusal) return refusalResponse(context, body);
      const results = await resultsOf(decoder.decode(body.bytes));
      if (results instanceof Refusal) return refusalResponse(context, results);
      const headers = { ...commonHeaders(context, 'application/json'), 'Cache-Control': 'no-store' };
      return new Response(JSON.stringify({ results }), { headers });
    } finally {
      running--;
    }
  };
};
