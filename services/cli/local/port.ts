// Ports of the local servers: free ones, remembered in the home so that a restarted system is found where it was.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writePrivate } from './home.ts';

const HOST = '127.0.0.1';

/** Whether a server could listen there now. */
export const isPortFree = (port: number, host = HOST): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

/** A port on which no program listens, of the system's choosing. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: HOST, exclusive: true }, () => {
      const address = server.address();
      server.close(() =>
        address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

/**
 * The port remembered under this name if it is still free, else a new one, remembered from now on. A port on which
 * something answers is left alone, whatever it is: our own servers of this home are stopped before they are started.
 */
export const rememberedPort = async (home: string, name: string): Promise<number> => {
  const known = readPorts(home)[name];
  if (known !== undefined && (await isPortFree(known))) return known;
  return choosePort(home, name);
};

/** A new port in place of a remembered one that turned out to be taken. */
export const choosePort = async (home: string, name: string): Promise<number> => {
  const port = await freePort();
  mkdirSync(home, { recursive: true });
  writePrivate(join(home, 'ports.json'), JSON.stringify({ ...readPorts(home), [name]: port }));
  return port;
};

const readPorts = (home: string): Record<string, number> => {
  try {
    const found: unknown = JSON.parse(readFileSync(join(home, 'ports.json'), 'utf8'));
    if (typeof found !== 'object' || found === null) return {};
    return Object.fromEntries(
      Object.entries(found).filter(([, port]) => Number.isInteger(port) && port > 0 && port < 65536),
    );
  } catch {
    return {};
  }
};
