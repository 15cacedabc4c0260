// Measures the cost of an app's access token against an API key: a read from the edge's cache and one that the services
// answer, interleaved in one run.
import { createHash, randomBytes } from 'node:crypto';
import { getRequest, load } from './load.ts';
import { type BenchProcess, type BenchStore, processorMs, startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 15);
const DURATION_MS = 1_000;
const CONNECTIONS = 32;
const REDIRECT = 'http://127.0.0.1:7000/callback';

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

const call = async (url: string, headers: Record<string, string>, body: string): Promise<Record<string, never>> => {
  const response = await fetch(url, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as Record<string, never>;
};

/** Obtains a token like an app: a session, a merchant's decision, a code. */
const tokenOf = async ({ url }: BenchProcess, { secret_key }: BenchStore): Promise<string> => {
  const json = { Authorization: `Bearer ${secret_key}`, 'Content-Type': 'application/json' };
  const asked = JSON.stringify({
    client_name: 'Bench',
    redirect_uri: REDIRECT,
    scopes: ['catalog:read', 'orders:read'],
  });
  const { session } = (await call(`${url}/v1/connect/sessions`, json, asked)) as unknown as {
    session: { connect_url: string; client_id: string };
  };
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: session.client_id,
    redirect_uri: REDIRECT,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const page = `${url}${new URL(session.connect_url).pathname}?${query}`;
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
  const decided = await fetch(page, { method: 'POST', headers: form, body: 'decision=allow', redirect: 'manual' });
  const code = new URL(decided.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const grant = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT, client_id: session.client_id };
  const body = new URLSearchParams({ ...grant, code_verifier: verifier }).toString();
  const { access_token } = (await call(`${url}/v1/connect/token`, form, body)) as unknown as { access_token: string };
  return access_token;
};

const stack = await startStack();
try {
  const edge = await stack.startEdge(64);
  const store = await stack.createStore();
  const json = { Authorization: `Bearer ${store.secret_key}`, 'Content-Type': 'application/json' };
  for (let at = 0; at < 40; at++)
    await call(`${edge.url}/v1/products`, json, JSON.stringify({ name: `Lamp ${at}`, price: 10, stock: 5 }));
  const token = await tokenOf(edge, store);
  const { hostname, port } = new URL(edge.url);
  const measure = async (path: string, key: string): Promise<{ rate: number; edgeUs: number }> => {
    const request = getRequest(path, { Authorization: `Bearer ${key}` });
    const before = await processorMs(edge.pid);
    const result = await load({
      target: { host: hostname, port: Number(port) },
      connections: CONNECTIONS,
      durationMs: DURATION_MS,
      next: () => request,
      expected: new Set([200]),
    });
    if (result.unexpected > 0) throw new Error(`${path}: ${result.unexpected} of ${result.requests} were not 200.`);
    const edgeUs = (((await processorMs(edge.pid)) - before) * 1_000) / result.requests;
    return { rate: result.requests / (DURATION_MS / 1_000), edgeUs };
  };
  for (const [name, path] of [
    ['cached list', '/v1/products?limit=20'],
    ['orders', '/v1/orders?limit=1'],
  ] as const) {
    const rounds: { key: { rate: number; edgeUs: number }; token: { rate: number; edgeUs: number } }[] = [];
    await measure(path, store.secret_key);
    await measure(path, token);
    for (let at = 0; at < ROUNDS; at++) {
      // In turns, each first as often as the other.
      const first = at % 2 === 0 ? store.secret_key : token;
      const one = await measure(path, first);
      const other = await measure(path, first === token ? store.secret_key : token);
      rounds.push(first === token ? { token: one, key: other } : { key: one, token: other });
    }
    const line = {
      bench: 'access_token',
      case: name,
      key_rate: round(median(rounds.map(({ key }) => key.rate)), 0),
      token_rate: round(median(rounds.map((each) => each.token.rate)), 0),
      token_over_key_edge_time: round(median(rounds.map((each) => each.token.edgeUs / each.key.edgeUs)), 3),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
} finally {
  await stack.stop();
}
