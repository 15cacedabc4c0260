// A storm of events while every process is killed, one after the other: services, edge, broker and database. Acknowledged
// events are in the log and reach their webhook, with the same bytes each time.
//
// Usage: npm run storm
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const WRITERS = 8;
const BETWEEN_KILLS_MS = 5_000;
const TIMEOUT_MS = 12_000;
const PATIENCE_MS = 120_000;
const PARTS = ['services/main.ts', 'edge/main.ts', 'nats-server', 'postgres'];

const probe = Bun.serve({ port: 0, fetch: () => new Response() });
const port = `${probe.port}`;
await probe.stop(true);
const home = await mkdtemp(join(tmpdir(), 'stoa-storm-'));
const system = Bun.spawn(['node', 'services/cli/stoa.mjs', 'start'], {
  env: { ...process.env, STOA_HOME: home, PORT: port, STOA_ALLOW_LOCAL_WEBHOOKS: '1' },
  stdin: 'ignore',
  stdout: 'pipe',
  stderr: 'inherit',
});
const output = system.stdout.getReader();
for (let said = ''; !said.includes('ready '); ) {
  const { value, done } = await output.read();
  if (done) throw new Error('The system did not start.');
  said += new TextDecoder().decode(value);
}
const demo = JSON.parse(await readFile(join(home, 'demo.json'), 'utf8')) as {
  base_url: string;
  secret_test_key: string;
};

const call = async (method: string, path: string, body?: unknown, key?: string) => {
  const response = await fetch(demo.base_url + path, {
    method,
    headers: {
      Authorization: `Bearer ${demo.secret_test_key}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes
  return { status: response.status, body: (await response.json()) as any };
};

/** Delivered, by event: its bytes and the card it tells of. */
const delivered = new Map<string, { readonly bytes: string; readonly card: string }>();
let [repeated, altered] = [0, 0];
const receiver = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const bytes = await request.text();
    const { id, data } = JSON.parse(bytes) as { id: string; data: { object: { id: string } } };
    const before = delivered.get(id);
    if (before) repeated++;
    if (before && before.bytes !== bytes) altered++;
    delivered.set(id, { bytes, card: data.object.id });
    return new Response();
  },
});
const url = `http://127.0.0.1:${receiver.port}/`;
await call('POST', '/v1/webhook-endpoints', { url, events: ['gift_card.issued'] });

let over = false;
const acknowledged = new Set<string>();
const write = async (): Promise<void> => {
  while (!over) {
    const key = crypto.randomUUID();
    for (let answered = false; !answered; await Bun.sleep(50)) {
      const reply = await call('POST', '/v1/gift-cards', { amount: 1 }, key).catch(() => null);
      answered = reply?.status === 201;
      if (answered) acknowledged.add(reply!.body.gift_card.id);
    }
  }
};

const childrenOf = async (parent: number): Promise<{ pid: number; command: string }[]> => {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const all = await Promise.all(
    pids.map(async (pid) => {
      const [stat, command] = await Promise.all(
        ['stat', 'cmdline'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      );
      return {
        pid: Number(pid),
        parent: Number(stat!.slice(stat!.lastIndexOf(')') + 2).split(' ')[1]),
        command: command!,
      };
    }),
  );
  const own = all.filter((each) => each.parent === parent);
  return [...own, ...(await Promise.all(own.map(({ pid }) => (pid === parent ? [] : childrenOf(pid))))).flat()];
};

const writers = Array.from({ length: WRITERS }, write);
for (const part of [...PARTS, ...PARTS]) {
  await Bun.sleep(BETWEEN_KILLS_MS);
  const found = (await childrenOf(system.pid)).find(({ command }) => command.includes(part));
  if (!found) throw new Error(`There is no ${part} to kill.`);
  process.kill(found.pid, 'SIGKILL');
  process.stdout.write(`${JSON.stringify({ killed: part, acknowledged: acknowledged.size })}\n`);
}
await Bun.sleep(BETWEEN_KILLS_MS);
over = true;
await Promise.all(writers);

const missing = (): number => {
  const cards = new Set(Array.from(delivered.values(), ({ card }) => card));
  return [...acknowledged].filter((id) => !cards.has(id)).length;
};
for (const until = Date.now() + PATIENCE_MS; missing() > 0 && Date.now() < until; ) await Bun.sleep(500);
const result = { acknowledged: acknowledged.size, delivered: delivered.size, missing: missing(), repeated, altered };
process.stdout.write(`${JSON.stringify(result)}\n`);

await receiver.stop(true);
system.kill('SIGINT');
await system.exited;
await rm(home, { recursive: true, force: true });
process.exit(result.missing === 0 && result.delivered === result.acknowledged && altered === 0 ? 0 : 1);
