// Reserves ports for servers that start later: a process that is killed and restarted, or a server that another process starts.
import { randomInt } from 'node:crypto';
import { isPortFree } from '#services/cli/local/port.ts';

/** Below those that a system gives to a process that asks for any: such a one may be another's before it is used again. */
const FIRST = 15_000;
const LAST = 30_000;

/** One that no process listens on, and that none is given by chance. */
export const ownPort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    if (await isPortFree(port)) return port;
  }
};
