// A process reads its configuration from the environment once. What is wrong with it is one sentence, and no stack.

/** Configuration that cannot be used. Its message says what is wrong and what to set. */
export class EnvironmentError extends Error {}

/** Reads the configuration; a process whose configuration cannot be used says why on standard error and ends with 1. */
export const environmentOrExit = <T>(read: () => T): T => {
  try {
    return read();
  } catch (problem) {
    if (!(problem instanceof EnvironmentError)) throw problem;
    process.stderr.write(`${problem.message}\n`);
    process.exit(1);
  }
};
