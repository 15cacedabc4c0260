// Reports wrong configuration, or a server that cannot be used, as one sentence without a stack.
import { Unavailable } from '#runtime/call/fault.ts';
import { DRAIN_SECONDS_RULE, readDrainSeconds } from './drain.ts';

export class EnvironmentError extends Error {}

/** Time for a balancer to probe a few times. */
const DRAIN_SECONDS = 5;

export const drainSecondsOf = (variables: Readonly<Record<string, string | undefined>>): number => {
  const seconds = readDrainSeconds(variables, DRAIN_SECONDS);
  if (seconds === null) throw new EnvironmentError(DRAIN_SECONDS_RULE);
  return seconds;
};

/** Prints the problem to standard error and exits with 1. Other faults are thrown. */
export const reportAndExit = (problem: unknown): never => {
  if (!(problem instanceof EnvironmentError || problem instanceof Unavailable)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exit(1);
};

export const environmentOrExit = <T>(read: () => T): T => {
  try {
    return read();
  } catch (problem) {
    return reportAndExit(problem);
  }
};
