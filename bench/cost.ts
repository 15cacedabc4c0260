// Measures the cost of one request of each kind for each process, log and database: the table from which `npx stoa capacity
// plan` computes. The table is written beside that command, to be committed with its machine and date.
import { fileURLToPath } from 'node:url';
import { connectPostgres } from '#runtime/postgres/postgres.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { createLog } from '#runtime/process/log.ts';
import { openSeal } from '#runtime/process/seal.ts';
import type { CostTable, RequestCost, RequestKind } from '#services/cli/capacity/cost.ts';
import { print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { load } from './load.ts';
import { machine } from './machine.ts';
import { type UsedPart, usedBy } from './processor_use.ts';
import { scenarios } from './scenario/index.ts';
import type { Scenario } from './scenario/scenario.ts';
import { type BenchProcess, residentMb, type Stack, startStack } from './stack.ts';

const KINDS = ['list', 'detail', 'search', 'pricing', 'shipping', 'cart', 'order'] as const;
const UNCACHED = { list_uncached: 'list', detail_uncached: 'detail' } as const;
const CONNECTIONS = 64;
const PRODUCTS = 1_000;
const WARM_MS = Number(process.env.WARM_MS ?? 6_000);
const MEASURED_MS = Number(process.env.MEASURED_MS ?? 5_000);
/** Time for the later work of a write, which counts with it. */
const SETTLE_MS = 3_000;
const STORES = 20;
const STORE_PRODUCTS = 200;
const FILE = fileURLToPath(new URL('../services/cli/capacity/costs.json', import.meta.url));

const connect = (stack: Stack) =>
  connectPostgres({
    url: stack.databaseUrl,
    connectionsMax: 1,
    name: 'bench',
    log: createLog({ name: 'bench', level: 'warn' }),
    clock: systemClock(),
    seal: openSeal(Buffer.alloc(32, 3).toString('base64')),
  });

print({ bench: 'machine', ...machine() });
const stack = await startStack();
const postgres = connect(stack);
const databaseBytes = async (): Promise<number> => {
  const [row] = await postgres.sql<{ bytes: string }[]>`select pg_database_size(current_database())::text as bytes`;
  return Number(row!.bytes);
};
try {
  const edge = await stack.startEdge(128);
  const idle = { edge: await residentMb(edge.pid), services: await residentMb(stack.services.pid) };
  const empty = await databaseBytes();
  for (let n = 0; n < STORES; n++) await fillStore(stack, edge, STORE_PRODUCTS);
  const residentAfter = await residentMb(stack.services.pid);
  const stored = (await databaseBytes()) - empty;
  const filled = await fillStore(stack, edge, PRODUCTS);

  const measure = async (asked: BenchProcess, { next, expected }: Scenario): Promise<RequestCost> => {
    const { hostname, port } = new URL(asked.url);
    const target = { host: hostname, port: Number(port) };
    const run = (durationMs: number) => load({ target, connections: CONNECTIONS, durationMs, next, expected });
    await run(WARM_MS);
    await Bun.sleep(SETTLE_MS);
    const [before, bytes] = [usedBy(asked, stack.services), await databaseBytes()];
    const { requests, perSecond, unexpected } = await run(MEASURED_MS);
    await Bun.sleep(SETTLE_MS);
    const after = usedBy(asked, stack.services);
    if (unexpected > 0) throw new Error(`${unexpected} of ${requests} answers were not expected.`);
    const us = (part: UsedPart): number => round(((after[part] - before[part]) * 1_000) / requests, 0);
    return {
      edge_us: us('edge'),
      services_us: us('services'),
      nats_us: us('nats'),
      postgres_us: us('postgres'),
      postgres_bytes: Math.max(0, round(((await databaseBytes()) - bytes) / requests, 0)),
      per_second: round(perSecond, 0),
    };
  };

  const costs: Partial<Record<RequestKind, RequestCost>> = {};
  const note = (kind: RequestKind, cost: RequestCost): void => {
    costs[kind] = cost;
    print({ bench: 'cost', case: kind, ...cost });
  };
  for (const kind of KINDS) note(kind, await measure(edge, await scenarios[kind]!(filled)));
  // The other edge is up and idle meanwhile.
  const bare = await stack.startEdge(0);
  for (const [kind, scenario] of Object.entries(UNCACHED))
    note(kind as keyof typeof UNCACHED, await measure(bare, await scenarios[scenario]!(filled)));
  const { processor, cores, at } = machine();
  const table: CostTable = {
    machine: { processor, cores },
    at,
    made_by: 'npm run bench -- cost',
    memory: {
      edge_mb: round(idle.edge, 0),
      services_mb: round(idle.services, 0),
      product_kb: round(Math.max(0, ((residentAfter - idle.services) * 1_024) / (STORES * STORE_PRODUCTS)), 1),
    },
    storage: { product_kb: round(stored / 1_024 / (STORES * STORE_PRODUCTS), 1) },
    costs: costs as Record<RequestKind, RequestCost>,
  };
  await Bun.write(FILE, `${JSON.stringify(table, null, 2)}\n`);
  print({ bench: 'cost', case: 'memory', ...table.memory, database_product_kb: table.storage.product_kb });
} finally {
  await postgres.close();
  await stack.stop();
}
