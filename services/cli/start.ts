// `stoa start`: takes the home, brings the system up, and takes it down again when told to.
import { existsSync } from 'node:fs';
import { demoFile } from './demo_file.ts';
import { startEnvironment } from './environment.ts';
import { SetupError } from './local/child.ts';
import { openHome } from './local/home.ts';
import { isPortFree } from './local/port.ts';
import { forgetRunning, leaveHome, takeHome } from './running.ts';
import { Supervisor } from './supervisor.ts';
import { System } from './system.ts';

type Say = (text: string) => void;

/** One Ctrl-C may reach us twice: from the terminal, and from the process that started us. */
const SAME_SIGNAL_MS = 1000;

/** Runs until it is told to stop. */
export const start = async ({ verbose, say }: { verbose: boolean; say: Say }): Promise<void> => {
  const environment = startEnvironment();
  const { home, host, port } = environment;
  openHome(home);
  await takeHome(home, say);
  try {
    if (!(await isPortFree(port, host)))
      throw new SetupError(
        `Port ${port} on ${host} cannot be used (is another program on it?): set PORT to a free one.`,
      );
    const supervisor = new Supervisor({ say });
    const told = heedSignals(() => {
      say('Stopping.');
      forgetRunning(home);
      return supervisor.stop();
    });
    const system = new System({ environment, supervisor, say, verbose });
    try {
      await system.bringUp();
      if (!supervisor.stopping) {
        process.stdout.write(`ready ${system.baseUrl}\n`);
        say(`The documentation: ${system.baseUrl}/docs`);
        say(`The console: ${system.baseUrl}/console`);
        if (existsSync(demoFile(home))) say(`The demo shop: ${system.baseUrl}/shop`);
      }
      await told;
    } catch (fault) {
      if (!supervisor.stopping) throw fault;
    } finally {
      await supervisor.stop();
      system.tidy();
    }
  } finally {
    leaveHome(home);
  }
};

/** Settles when everything has stopped after the first signal; a second one ends us at once, and our children with us. */
const heedSignals = (stop: () => Promise<void>): Promise<void> =>
  new Promise((resolve) => {
    let toldAt: number | null = null;
    const hear = (): void => {
      if (toldAt !== null) {
        if (performance.now() - toldAt > SAME_SIGNAL_MS) process.exit(130);
        return;
      }
      toldAt = performance.now();
      void stop().then(resolve);
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, hear);
  });
