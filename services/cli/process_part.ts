// Runs a process of the system as a supervised part: `bun <entry>`, probed at its internal port.

import { join } from 'node:path';
import { lastLines, SetupError, startChild } from './local/child.ts';
import { rememberedPort } from './local/port.ts';
import { httpStatus } from './local/probe.ts';
import { variables } from './local/variable.ts';
import type { Part, RunningPart } from './supervisor.ts';

export interface ProcessPartOptions {
  readonly name: string;
  readonly entry: string;
  readonly home: string;
  readonly verbose: boolean;
  /** Called at each start, so that a restarted part gets the current addresses. */
  readonly environment: () => Readonly<Record<string, string>>;
  readonly onPort: (port: number) => void;
  readonly serves?: () => Promise<boolean>;
  readonly drainSeconds: number;
}

const READY_LIMIT_MS = 120_000;
/** Longer than the slowest request, which is answered before the process ends. */
const END_MS = 21_000;
const POLL_MS = 25;
const INTERNAL_HOST = '127.0.0.1';

export const processPart = (options: ProcessPartOptions): Part => ({
  name: options.name,
  start: (signal) => startProcess(options, signal),
});

const startProcess = async (options: ProcessPartOptions, signal: AbortSignal): Promise<RunningPart> => {
  const { name, home, verbose } = options;
  const logFile = join(home, 'log', `${name}.log`);
  const port = await rememberedPort(home, `${name}_internal`);
  options.onPort(port);
  const child = startChild({
    command: process.execPath,
    args: [options.entry],
    env: { ...variables, ...options.environment(), STOA_INTERNAL_PORT: String(port) },
    logFile: verbose ? null : logFile,
    deathSignal: 'SIGTERM',
    signal,
  });
  const stop = (): Promise<void> => child.stop([{ signal: 'SIGTERM', graceMs: END_MS + options.drainSeconds * 1_000 }]);
  const until = performance.now() + READY_LIMIT_MS;
  const healthy = async (): Promise<boolean> =>
    (await httpStatus(INTERNAL_HOST, port, '/healthz')) === 200 && ((await options.serves?.()) ?? true);
  while (!(await healthy())) {
    if (child.running() && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      continue;
    }
    await stop();
    throw new SetupError(
      `${name} does not start${verbose ? '.' : ` (${logFile}):\n${readable(lastLines(logFile, 8))}`}`,
    );
  }
  return { child, stop, answers: async () => (await httpStatus(INTERNAL_HOST, port, '/healthz')) > 0 };
};

const readable = (lines: string): string =>
  lines
    .split('\n')
    .map((line) => {
      try {
        const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
        return [msg, err?.message].filter(Boolean).join(': ');
      } catch {
        return line;
      }
    })
    .join('\n');
