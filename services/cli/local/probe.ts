// Probes a server with one connection, one answer and a short time-out, without proxies.
import { get } from 'node:http';
import { connect } from 'node:net';

const LIMIT_MS = 2000;

/** Sends the greeting, if any, and returns the first reply; empty if there is none. */
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
