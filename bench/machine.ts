// Describes the machine and the commit of a run, without which figures cannot be compared.
import { spawnSync } from 'node:child_process';
import { cpus, release, totalmem } from 'node:os';

export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memory_gb: number;
  readonly kernel: string;
  readonly bun: string;
  /** `-dirty` where files differ from it. */
  readonly commit: string;
  readonly at: string;
}

const git = (...words: readonly string[]): string => {
  const { stdout, status } = spawnSync('git', words, { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
};

export const machine = (): Machine => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memory_gb: Math.round(totalmem() / 2 ** 30),
  kernel: release(),
  bun: Bun.version,
  commit: `${git('rev-parse', '--short', 'HEAD') || 'unknown'}${git('status', '--porcelain') ? '-dirty' : ''}`,
  at: new Date().toISOString(),
});
