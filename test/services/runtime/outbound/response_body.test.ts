// Tests that the body of a response is read to a bound, compressed or without end.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBounded } from '#runtime/outbound/response_body.ts';

const BYTES_MAX = 1 << 20;
const BOMB = gzipSync(Buffer.alloc(256 << 20));

let server: Server;
let url: string;
let closed: Promise<void>;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/exact') response.end(Buffer.alloc(BYTES_MAX, 'a'));
    else if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
    else {
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', write);
      closed = new Promise((done) => void response.on('close', done));
      write();
    }
  });
  await new Promise<void>((listening) => void server.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server?.close());

test('reads a body as long as the bound', async () => {
  expect((await readBounded(await fetch(`${url}/exact`), BYTES_MAX))?.length).toBe(BYTES_MAX);
  expect(await readBounded(new Response(null), BYTES_MAX)).toEqual(Buffer.alloc(0));
});

test('stops at the bound of 256 MB that arrive as 256 kB, and of an answer without end', async () => {
  expect(await readBounded(await fetch(`${url}/bomb`), BYTES_MAX)).toBeNull();
  expect(await readBounded(await fetch(`${url}/endless`), BYTES_MAX)).toBeNull();
  await closed;
});
