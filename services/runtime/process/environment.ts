// A process reads its configuration from the environment once. What is wrong with it, or with a server that it names, is one
// sentence, and no stack.
import { Unavailable } from '#runtime/call/fault.ts';
import { DRAIN_SECONDS_RULE, readDrainSeconds } from './drain.ts';

/** Configuration that cannot be used. Its message says what is wrong and what to set. */
export class EnvironmentError extends Error {}

/** As long as a balancer takes to look a few times. */
const DRAIN_SECONDS = 5;

/** STOA_DRAIN_SECONDS of a process that is started by itself. */
export const drainSecondsOf = (variables: Readonly<Record<string, string | undefined>>): number => {
  const seconds = readDrainSeconds(variables, DRAIN_SECONDS);
  if (seconds === null) throw new EnvironmentError(DRAIN_SECONDS_RULE);
  return seconds;
};

/** A process whose configuration, or a server of it, cannot be used says why on standard error and ends with 1. */
export const reportAndExit = (problem: unknown): never => {
  if (!(problem instanceof EnvironmentError || problem instanceof Unavailable)) throw problem;
  process.stderr.write(`${problem.message}\n`);
  process.exit(1);
};

/** Reads the configuration, or ends. */
export const environmentOrExit = <T>(read: () => T): T => {
  try {
    return read();
  } catch (problem) {
    return reportAndExit(problem);
  }
};
