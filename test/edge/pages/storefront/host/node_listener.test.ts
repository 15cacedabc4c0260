// Tests which requests the shop's Node server refuses before its handler reads them.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { nodeListener } from '#edge/pages/storefront/host/node_listener.ts';
import { sendRaw } from '#test/support/socket.ts';

let server: Server;
let url: string;
let handled: string[] = [];
beforeAll(async () => {
  server = createServer(
    nodeListener(async (request) => {
      handled.push(request.url);
      if (request.url.endsWith('/fault')) throw new Error('a fault');
      return new Response('ok');
    }),
  );
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());
beforeEach(() => {
  handled = [];
});

const get = (target: string, host = 'shop.example'): Promise<string> =>
  sendRaw(url, `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);

test.each([
  ['http://other.example/cart', 'shop.example'],
  ['*', 'shop.example'],
  ['/', 'shop example'],
  ['/', 'shop.example:port'],
  ['/', '[::'],
])('refuses the target %s of the host %s', async (target, host) => {
  expect(await get(target, host)).toMatch(/^HTTP\/1\.1 400 /);
  expect(handled).toEqual([]);
});

test('passes on a path within the shop', async () => {
  expect(await get('/cart?a=//b')).toMatch(/^HTTP\/1\.1 200 /);
  expect(handled).toEqual(['http://shop.example/cart?a=//b']);
});

test('answers a fault with 500', async () => {
  expect(await get('/fault')).toMatch(/^HTTP\/1\.1 500 /);
});
