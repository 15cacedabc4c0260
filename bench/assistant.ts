// Measures assistants' protocols in turns of one run. Creates and changes checkouts over MCP, UCP and ACP and the same over REST.
// Reads the documents by which assistants find a store, compared with a read from the edge's cache.
import { getRequest, load, writeRequest } from './load.ts';
import { startStack } from './stack.ts';

const ROUNDS = Number(process.env.ROUNDS ?? 5);
const DURATION_MS = 2_000;
const CONNECTIONS = 16;
/** Far more than are under way at once: no two changes meet at one. */
const CHECKOUTS = 400;

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const round = (value: number, digits = 2): number => Number(value.toFixed(digits));

interface Speaker {
  /** Name of the case that this one is compared with; none: others are compared with it. */
  readonly against?: string;
  begin(): Buffer;
  change(id: string, email: string): Buffer;
}

/** Each says the same: a line, and another e-mail address. */
const speakersOf = (url: string, code: string, key: string, variant: string): Readonly<Record<string, Speaker>> => {
  const own = { Authorization: `Bearer ${key}` };
  const items = [{ variant_id: variant, quantity: 1 }];
  const line_items = [{ item: { id: variant }, quantity: 1 }];
  const tool = (name: string, args: object): Buffer =>
    writeRequest(
      'POST',
      `/s/${code}/mcp`,
      { ...own, Accept: 'application/json, text/event-stream' },
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
    );
  const intents = '/v1/agent/checkout-intents';
  const sessions = `/s/${code}/ucp/checkout-sessions`;
  const platform = { ...own, 'UCP-Agent': `profile="${url}/s/${code}/.well-known/ucp"` };
  const buyer = { email: 'ada@example.com' };
  const acp = `/s/${code}/acp/checkout_sessions`;
  const keyed = () => ({ ...own, 'Idempotency-Key': crypto.randomUUID() });
  const acpHeaders = () => ({ ...keyed(), 'API-Version': '2026-04-17' });
  const acpLines = [{ id: variant, quantity: 1 }];
  return {
    rest: {
      begin: () => writeRequest('POST', intents, own, JSON.stringify({ items, ...buyer })),
      change: (id, email) => writeRequest('PATCH', `${intents}/${id}`, own, JSON.stringify({ items, email })),
    },
    rest_keyed: {
      begin: () => writeRequest('POST', intents, keyed(), JSON.stringify({ items, ...buyer })),
      change: (id, email) => writeRequest('PATCH', `${intents}/${id}`, keyed(), JSON.stringify({ items, email })),
    },
    mcp: {
      against: 'rest',
      begin: () => tool('create_checkout', { checkout: { line_items, buyer } }),
      change: (id, email) => tool('update_checkout', { id, checkout: { line_items, buyer: { email } } }),
    },
    ucp: {
      against: 'rest',
      begin: () => writeRequest('POST', sessions, platform, JSON.stringify({ line_items, buyer })),
      change: (id, email) =>
        writeRequest('PUT', `${sessions}/${id}`, platform, JSON.stringify({ line_items, buyer: { email } })),
    },
    // Each write has a new key, as the protocol requires, and its answer is stored for a retry.
    acp: {
      against: 'rest_keyed',
      begin: () =>
        writeRequest(
          'POST',
          acp,
          acpHeaders(),
          JSON.stringify({ line_items: acpLines, currency: 'usd', capabilities: {}, buyer }),
        ),
      change: (id, email) =>
        writeRequest('POST', `${acp}/${id}`, acpHeaders(), JSON.stringify({ line_items: acpLines, buyer: { email } })),
    },
  };
};

// The store’s own profile serves as a platform’s.
process.env.STOA_ALLOW_LOCAL_WEBHOOKS = '1';
const stack = await startStack();
try {
  const edge = await stack.startEdge(64);
  const { code, secret_test_key: key } = await stack.createStore();
  const { hostname, port } = new URL(edge.url);
  const rate = async (what: string, next: () => Buffer): Promise<number> => {
    const result = await load({
      target: { host: hostname, port: Number(port) },
      connections: CONNECTIONS,
      durationMs: DURATION_MS,
      next,
      expected: new Set([200, 201]),
    });
    if (result.unexpected > 0) throw new Error(`${what}: ${result.unexpected} of ${result.requests} were refused.`);
    return result.perSecond;
  };
  const post = async (path: string, body: object): Promise<Record<string, never>> => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
    const response = await fetch(`${edge.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${await response.text()}`);
    return (await response.json()) as Record<string, never>;
  };
  const { variant_id: variant } = (await post('/v1/products', {
    name: 'Lesson',
    price: 10,
    stock: 1_000_000,
    shipping_info: { requires_shipping: false },
  })) as unknown as { variant_id: string };
  const ids: string[] = [];
  for (let at = 0; at < CHECKOUTS; at++) {
    const body = { items: [{ variant_id: variant, quantity: 1 }] };
    const { data } = (await post('/v1/agent/checkout-intents', body)) as unknown as { data: { id: string } };
    ids.push(data.id);
  }
  const speakers = speakersOf(edge.url, code, key, variant);
  let sequence = 0;
  const kinds: Readonly<Record<string, (speaker: Speaker) => Buffer>> = {
    started: (speaker) => speaker.begin(),
    changed: (speaker) => {
      sequence++;
      return speaker.change(ids[sequence % ids.length]!, `ada${sequence}@example.com`);
    },
  };
  for (const [kind, requestOf] of Object.entries(kinds)) {
    const rates: Record<string, number[]> = {};
    for (const name of Object.keys(speakers)) await rate(name, () => requestOf(speakers[name]!));
    for (let at = 0; at < ROUNDS; at++)
      for (const name of Object.keys(speakers)) {
        rates[name] ??= [];
        rates[name].push(await rate(name, () => requestOf(speakers[name]!)));
      }
    for (const [name, { against }] of Object.entries(speakers)) {
      if (against === undefined) continue;
      const [own, rest] = [rates[name]!, rates[against]!];
      const line = {
        bench: 'assistant',
        case: `${kind} by ${name}`,
        per_second: round(median(own), 0),
        against,
        rest_per_second: round(median(rest), 0),
        share_of_rest: round(median(own.map((value, at) => value / rest[at]!))),
      };
      process.stdout.write(`${JSON.stringify(line)}\n`);
    }
  }
  const list = getRequest('/v1/products?limit=20', { Authorization: `Bearer ${key}` });
  const profile = getRequest(`/s/${code}/.well-known/ucp`);
  const reads: { list: number; profile: number }[] = [];
  for (let at = 0; at < ROUNDS; at++)
    reads.push({ list: await rate('list', () => list), profile: await rate('profile', () => profile) });
  process.stdout.write(
    `${JSON.stringify({
      bench: 'assistant',
      case: 'ucp profile',
      per_second: round(median(reads.map((each) => each.profile)), 0),
      cached_list_per_second: round(median(reads.map((each) => each.list)), 0),
      share_of_cached_list: round(median(reads.map((each) => each.profile / each.list))),
    })}\n`,
  );
} finally {
  await stack.stop();
}
