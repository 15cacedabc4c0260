// Measures a system's memory: at rest, after two minutes of load (a shop's ordinary day and orders beside it), and a minute
// later. The sum by part counts each page once, shared pages by their share.
import { readdirSync, readFileSync } from 'node:fs';
import { print, round } from './figure.ts';
import { fillStore } from './filled_store.ts';
import { load } from './load.ts';
import { mixed } from './scenario/mixed.ts';
import { order } from './scenario/order.ts';
import { startStack } from './stack.ts';

const PRODUCTS = Number(process.env.PRODUCTS ?? 1_000);
const LOAD_MS = Number(process.env.LOAD_S ?? 120) * 1_000;
const REST_MS = Number(process.env.REST_S ?? 60) * 1_000;
const CALLERS = 32;
const ORDERING = 16;

type Part = 'edge' | 'services' | 'nats' | 'postgres';

interface Seen {
  readonly name: string;
  readonly parent: number;
}

const seenAt = (pid: number): Seen | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(stat.slice(end + 2).split(' ')[1]) };
  } catch {
    return null;
  }
};

/** Proportional: of a page that several processes share, each has its part. */
const mbOf = (pid: number): number => {
  try {
    return Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
};

const stack = await startStack();
try {
  const edge = await stack.startEdge(128);
  const { services } = stack;
  const held = (): Record<Part | 'all', number> => {
    const all = new Map<number, Seen>();
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const seen = seenAt(Number(pid));
      if (seen) all.set(Number(pid), seen);
    }
    const isOurs = (pid: number): boolean => {
      for (let at = all.get(pid); at; at = all.get(at.parent)) if (at.parent === process.pid) return true;
      return false;
    };
    const parts = { edge: 0, services: 0, nats: 0, postgres: 0 };
    for (const [pid, { name }] of all) {
      if (!isOurs(pid)) continue;
      if (pid === edge.pid) parts.edge += mbOf(pid);
      else if (pid === services.pid) parts.services += mbOf(pid);
      else if (name.startsWith('nats')) parts.nats += mbOf(pid);
      else if (name.startsWith('postgres')) parts.postgres += mbOf(pid);
    }
    const sum = Object.values(parts).reduce((total, mb) => total + mb, 0);
    const rounded = Object.fromEntries(Object.entries(parts).map(([part, mb]) => [part, round(mb, 0)]));
    return { ...(rounded as Record<Part, number>), all: round(sum, 0) };
  };
  const tell = (when: string): number => {
    const mb = held();
    print({ bench: 'memory', when, ...mb });
    return mb.all;
  };
  tell('started');
  const filled = await fillStore(stack, edge, PRODUCTS);
  await Bun.sleep(REST_MS);
  const idle = tell('at rest, with its catalogue');
  const url = new URL(edge.url);
  const target = { host: url.hostname, port: Number(url.port) };
  const [day, orders] = [await mixed(filled), await order(filled)];
  const run = ({ next, expected }: typeof day, connections: number) =>
    load({ target, connections, durationMs: LOAD_MS, next, expected });
  const [browsed, bought] = await Promise.all([run(day, CALLERS), run(orders, ORDERING)]);
  print({ bench: 'memory', requests: browsed.requests, orders: bought.requests });
  tell('at the end of the load');
  await Bun.sleep(REST_MS);
  const after = tell('a minute later');
  print({ bench: 'memory', after_to_idle: round(after / idle) });
} finally {
  await stack.stop();
}
