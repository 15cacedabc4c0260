// `stoa start`: locks the home, starts the system, and stops it on a signal.
import { existsSync } from 'node:fs';
import { startEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { openHome } from './local/home.ts';
import { isPortFree } from './local/port.ts';
import { deleteRunning, lockHome, unlockHome } from './running.ts';
import { demoFile } from './store_access.ts';
import { Supervisor } from './supervisor.ts';
import { System } from './system.ts';

type Say = (text: string) => void;

/** Milliseconds within which a second signal is the same Ctrl-C, sent by the terminal and by the parent process. */
const SAME_SIGNAL_MS = 1000;

export const start = async ({ verbose, say }: { verbose: boolean; say: Say }): Promise<void> => {
  const environment = startEnvironment();
  const { home, host, port } = environment;
  openHome(home);
  await lockHome(home, say);
  try {
    if (!(await isPortFree(port, host)))
      throw new SetupError(
        `Port ${port} on ${host} cannot be used; another program may have it. Set PORT to a free one.`,
      );
    const supervisor = new Supervisor({ say });
    const stopped = stopOnSignal(() => {
      say('Stopping.');
      deleteRunning(home);
      return supervisor.stop();
    });
    const system = new System({ environment, supervisor, say, verbose });
    try {
      await system.bringUp();
      if (!supervisor.stopping) {
        process.stdout.write(`ready ${system.baseUrl}\n`);
        say(`The documentation: ${system.baseUrl}/docs`);
        say(`The dashboard: ${system.baseUrl}/dashboard`);
        say(`The console: ${system.baseUrl}/console`);
        if (existsSync(demoFile(home))) say(`The demo shop: ${system.baseUrl}/shop`);
      }
      await stopped;
    } catch (fault) {
      if (!supervisor.stopping) throw fault;
    } finally {
      await supervisor.stop();
      system.tidy();
    }
  } finally {
    unlockHome(home);
  }
};

const stopOnSignal = (stop: () => Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    let signalledAt: number | null = null;
    const onSignal = (): void => {
      if (signalledAt !== null) {
        if (performance.now() - signalledAt > SAME_SIGNAL_MS) process.exit(130);
        return;
      }
      signalledAt = performance.now();
      void stop().then(resolve);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  });
