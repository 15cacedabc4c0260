// Reads the processor time, by part of the system, of all processes that this process has started.
import { readdirSync, readFileSync } from 'node:fs';
import type { BenchProcess } from './stack.ts';

const TICKS_PER_S = 100;

interface Seen {
  readonly name: string;
  readonly parent: number;
  /** With that of its children that have ended. */
  readonly ms: number;
}

const statOf = (pid: string): Seen | null => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const end = stat.lastIndexOf(')');
    const fields = stat.slice(end + 2).split(' ');
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    return {
      name: stat.slice(stat.indexOf('(') + 1, end),
      parent: Number(fields[1]),
      ms: (ticks * 1_000) / TICKS_PER_S,
    };
  } catch {
    return null;
  }
};

export type UsedPart = 'edge' | 'services' | 'nats' | 'postgres';

/** In ms, so far. */
export const usedBy = (edge: BenchProcess, services: BenchProcess): Record<UsedPart, number> => {
  const seen = new Map<number, Seen>();
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = statOf(pid);
    if (stat) seen.set(Number(pid), stat);
  }
  const ours = (pid: number): boolean => {
    for (let at = seen.get(pid); at; at = seen.get(at.parent)) if (at.parent === process.pid) return true;
    return false;
  };
  const used = { edge: 0, services: 0, nats: 0, postgres: 0 };
  for (const [pid, { name, ms }] of seen) {
    if (!ours(pid)) continue;
    if (pid === edge.pid) used.edge += ms;
    else if (pid === services.pid) used.services += ms;
    else if (name.startsWith('nats')) used.nats += ms;
    else if (name.startsWith('postgres')) used.postgres += ms;
  }
  return used;
};
