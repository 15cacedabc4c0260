// Tests the time limit of a body over a real socket. Tests of endpoints cover its size and media type.
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { readBody } from '#edge/gates/body.ts';
import { statusOf } from '#edge/gates/refusal.ts';
import { Refusal } from '#runtime/call/call.ts';

const LIMITS = { bytes_max: 1_000, raw: [] };

test.each([
  ['with a length', 'Content-Length: 10', '{"a'],
  ['in chunks', 'Transfer-Encoding: chunked', '3\r\n{"a\r\n'],
])('refuses a body %s that does not come in time with 408', async (_, framing, beginning) => {
  const read = Promise.withResolvers<Awaited<ReturnType<typeof readBody>>>();
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      read.resolve(await readBody(request, LIMITS, 50));
      return new Response('');
    },
  });
  const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
  const socket = connect(server.port as number, '127.0.0.1', () => socket.write(head + beginning));
  socket.on('error', () => {});
  const refused = await read.promise;
  expect(refused instanceof Refusal && [statusOf(refused), refused.code]).toEqual([408, 'invalid_request']);
  socket.destroy();
  await server.stop(true);
});
