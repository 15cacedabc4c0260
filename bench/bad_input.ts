// Measures the time to a refusal: kinds of bad requests, one at a time on an idle server.
import { createHmac, randomUUID } from 'node:crypto';
import { median, print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { bearer } from './scenario/scenario.ts';
import { startStack } from './stack.ts';

const PRODUCTS = 200;
const ROUNDS = Number(process.env.ROUNDS ?? 5);
/** Requests of one kind in a round. */
const EACH = 20;
/** Limit of every refusal. */
const MS_MAX = 10;
const MEBIBYTE = 1024 * 1024;
const DEPTH = 400;

interface Bad {
  readonly kind: string;
  readonly status: number;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const stack = await startStack();
try {
  const edge = await stack.startEdge(64);
  const { store, variants } = await fillStore(stack, edge, PRODUCTS);
  const key = bearer(store.secret_key);
  const get = (kind: string, path: string, status = 400, headers: Bad['headers'] = key): Bad => {
    return { kind, status, method: 'GET', path, headers };
  };
  const write = (kind: string, path: string, body: string, status = 400, more = {}, method = 'POST'): Bad => {
    return { kind, status, method, path, body, headers: { ...key, 'Content-Type': 'application/json', ...more } };
  };
  const product = (kind: string, body: string, status = 400): Bad => write(kind, '/v1/products', body, status);
  const order = (kind: string, input: object, status: number, secret = store.hmac_secret, ageS = 0): Bad => {
    const address = { line1: '12 Moi Avenue', city: 'Nairobi', country: 'KE' };
    const body = JSON.stringify({ email: 'ada@example.com', shipping_address: address, ...input });
    const timestamp = String(Math.floor(Date.now() / 1_000) - ageS);
    return write(kind, '/v1/orders', body, status, {
      'Idempotency-Key': randomUUID(),
      'X-Timestamp': timestamp,
      'X-Signature': createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('base64'),
    });
  };
  const items = (quantity: number, variant = variants[0]) => ({ items: [{ variant_id: variant, quantity }] });
  const kinds: readonly (() => Bad)[] = [
    () => get('no key', '/v1/products', 401, {}),
    () => get('an unknown path', '/v1/nothing', 404),
    () => write('another verb', '/v1/products', '{}', 405, {}, 'PUT'),
    () => get('a limit out of bounds', '/v1/products?limit=0'),
    () => get('an unknown field', '/v1/products?fields=nope'),
    () => get('a damaged cursor', '/v1/products?cursor=abc'),
    () => get('an id that is none', '/v1/products/not-a-uuid'),
    () => product('JSON that breaks off', '{"name":'),
    () => product('a key twice', '{"name":"a","name":"b"}'),
    () => product('no object', '[]'),
    () => product('too deep', `{"x":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
    () => product('more than a mebibyte', JSON.stringify({ name: 'x'.repeat(MEBIBYTE) }), 413),
    () => product('too many decimals', '{"name":"a","price":1.999}'),
    () => product("a prototype's name", '{"__proto__":{"name":"a"},"constructor":{}}'),
    () => write('a long query', '/v1/search', JSON.stringify({ query: 'word '.repeat(20_000) })),
    () => order('a wrong signature', items(1), 401, 'the secret is unknown'),
    () => order('an old timestamp', items(1), 401, store.hmac_secret, 3_600),
    () => order('an unknown variant', items(1, randomUUID()), 404),
    () => order('a huge quantity', items(2 ** 31), 400),
  ];

  const send = async ({ kind, status, method, path, headers, body }: Bad): Promise<number> => {
    const startedAt = performance.now();
    const response = await fetch(`${edge.url}${path}`, { method, headers, body });
    const text = await response.text();
    const tookMs = performance.now() - startedAt;
    if (response.status !== status) throw new Error(`${kind} was answered ${response.status}: ${text.slice(0, 300)}`);
    return tookMs;
  };

  const times = kinds.map((): number[] => []);
  // Interleaved, so that other load on the machine is shared by all; the first round warms up.
  for (let repetition = 0; repetition <= ROUNDS; repetition++)
    for (const [at, make] of kinds.entries())
      for (let count = 0; count < EACH; count++) {
        const tookMs = await send(make());
        if (repetition > 0) times[at]!.push(tookMs);
      }
  for (const [at, make] of kinds.entries()) {
    const sorted = times[at]!.toSorted((a, b) => a - b);
    const { kind, status } = make();
    print({
      bench: 'bad_input',
      case: kind,
      status,
      p50_ms: round(median(sorted)),
      p98_ms: round(sorted[Math.floor(sorted.length * 0.98)] ?? 0),
      asked: `${MS_MAX} ms`,
    });
  }
} finally {
  await stack.stop();
}
