// Asks a server whether it is there: one connection, one answer, a short wait. Knows nothing of proxies.
import { get } from 'node:http';
import { connect } from 'node:net';

const LIMIT_MS = 2000;

/** Connects, says `greeting` if there is one, and returns the first thing said to us; empty for silence. */
export const exchange = (host: string, port: number, greeting: Uint8Array | null): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect({ port, host });
    const end = (text: string): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(end, LIMIT_MS, '');
    socket.once('connect', () => greeting && socket.write(greeting));
    socket.once('error', () => end(''));
    socket.once('close', () => end(''));
    socket.once('data', (bytes) => end(bytes.toString('utf8')));
  });

/** The status that a GET of this path is answered with; 0 for silence. */
export const httpStatus = (host: string, port: number, path: string): Promise<number> =>
  new Promise((resolve) => {
    const end = (status: number): void => {
      clearTimeout(timer);
      request.destroy();
      resolve(status);
    };
    const request = get({ host, port, path, agent: false }, (response) => end(response.statusCode ?? 0));
    const timer = setTimeout(end, LIMIT_MS, 0);
    request.on('error', () => end(0));
  });
