// Runs a TCP proxy in front of a real server. The proxy can freeze (connections stay open, no byte passes), delay, refuse and cut
// connections.

import { connect, createServer, type Socket } from 'node:net';
import { ownPort } from '#test/support/port.ts';

export interface TestProxy {
  readonly port: number;
  /** The same address with the proxy's port instead of the server's. */
  readonly url: string;
  /** Accepts connections and bytes, passes nothing on, answers nothing. */
  freeze(): void;
  /** Passes bytes on again, the held ones first. */
  thaw(): void;
  /** Ends every connection now, without a word. */
  cut(): void;
  /** Called with the client's bytes, in order. */
  onSent: ((bytes: Buffer) => void) | null;
  /** Delay of both directions. */
  lateMs: number;
  close(): Promise<void>;
}

/** Listens on a free port, or on that of an earlier proxy; `target` is a URL, or `unix:/path`. */
export const startProxy = async (target: string, known?: number): Promise<TestProxy> => {
  const address = new URL(target);
  let frozen = false;
  const pairs = new Set<{ client: Socket; server: Socket }>();
  const self = { onSent: null, lateMs: 0 } as Pick<TestProxy, 'onSent' | 'lateMs'>;

  const server = createServer((client) => {
    const upstream =
      address.protocol === 'unix:'
        ? connect({ path: address.pathname })
        : connect({ host: address.hostname, port: Number(address.port) });
    const pair = { client, server: upstream };
    pairs.add(pair);
    const held: (() => void)[] = [];
    const pass = (from: Socket, to: Socket, watch: boolean): void => {
      const write = (bytes: Buffer): void => {
        if (frozen) held.push(() => to.write(bytes));
        else to.write(bytes);
      };
      let passedAt = 0;
      from.on('data', (bytes: Buffer) => {
        if (watch) self.onSent?.(bytes);
        const now = performance.now();
        // Keeps the order of delayed bytes.
        passedAt = Math.max(passedAt, now + self.lateMs);
        if (passedAt <= now) write(bytes);
        else setTimeout(write, passedAt - now, bytes);
      });
      from.on('error', () => to.destroy());
      from.on('close', () => {
        to.destroy();
        pairs.delete(pair);
      });
    };
    pass(client, upstream, true);
    pass(upstream, client, false);
    thaws.add(() => {
      for (const write of held.splice(0)) write();
    });
  });
  const thaws = new Set<() => void>();
  const port = known ?? (await ownPort());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
  const url = new URL(target);
  url.hostname = '127.0.0.1';
  url.port = String(port);

  return Object.assign(self, {
    port,
    url: url.toString().replace(/\/$/, ''),
    freeze: () => {
      frozen = true;
    },
    thaw: () => {
      frozen = false;
      for (const thaw of thaws) thaw();
    },
    cut: () => {
      for (const { client, server: upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
    },
    close: async () => {
      for (const { client, server: upstream } of pairs) {
        client.destroy();
        upstream.destroy();
      }
      await new Promise((resolve) => server.close(resolve));
    },
  });
};
