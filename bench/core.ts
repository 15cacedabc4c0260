// Assigns cores, if `taskset` is installed. Real callers have their own machines: a load on the system's core would measure
// the machine, not the system.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The number of the core that is the load's alone; null: it shares all of them with the system. */
const LOAD_CORE = process.env.LOAD_CORE ? Number(process.env.LOAD_CORE) : null;

const runOn = (cores: readonly number[]): void => {
  const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)]);
  if (status !== 0) throw new Error(`The load has no core of its own: ${stderr ?? 'there is no taskset'}.`);
};

/** Processes started by `begin` never run on the load's core; afterwards the load runs only there. */
export const startOffLoadCore = async <T>(begin: () => Promise<T>): Promise<T> => {
  if (LOAD_CORE === null) return begin();
  const cores = cpus().map((_, core) => core);
  runOn(cores.filter((core) => core !== LOAD_CORE));
  const started = await begin();
  runOn([LOAD_CORE]);
  return started;
};
