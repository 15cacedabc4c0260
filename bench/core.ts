// Who runs on which core, where `taskset` is there: callers have machines of their own, and a load that takes its processor
// time from what it measures shows the machine, not the system.
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The number of the core that is the load's alone; null: it shares all of them with the system. */
const LOAD_CORE = process.env.LOAD_CORE ? Number(process.env.LOAD_CORE) : null;

const runOn = (cores: readonly number[]): void => {
  const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', cores.join(','), String(process.pid)]);
  if (status !== 0) throw new Error(`The load has no core of its own: ${stderr ?? 'there is no taskset'}.`);
};

/** What is begun within it never runs on the load's core; afterwards the load runs there alone. */
export const besideLoad = async <T>(begin: () => Promise<T>): Promise<T> => {
  if (LOAD_CORE === null) return begin();
  const cores = cpus().map((_, core) => core);
  runOn(cores.filter((core) => core !== LOAD_CORE));
  const begun = await begin();
  runOn([LOAD_CORE]);
  return begun;
};
