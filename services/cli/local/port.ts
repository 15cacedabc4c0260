// Chooses free ports for local servers and stores them in the home, so that restarts use the same ones.
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { writePrivate } from './home.ts';

const HOST = '127.0.0.1';

export const isPortFree = (port: number, host = HOST): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });

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
 * Returns the stored port if it is free, else a new one. This home's servers have been stopped before, so an occupied
 * port belongs to another program.
 */
export const rememberedPort = async (home: string, name: string): Promise<number> => {
  const known = readPorts(home)[name];
  if (known !== undefined && (await isPortFree(known))) return known;
  return choosePort(home, name);
};

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
