// The link's token while it is changed: at each step both kinds of processes reach each other, and at the end the old one is
// worth nothing.
import { afterEach, expect, test } from 'vitest';
import { connectRpc, type RpcServer, serveRpc } from '#runtime/grpc/grpc.ts';

let server: RpcServer | null = null;
afterEach(async () => {
  await server?.close(100);
  server = null;
});

const answers = async (serving: string, calling: string): Promise<boolean> => {
  server = await serveRpc({
    address: '127.0.0.1:0',
    token: serving,
    unaryPaths: ['/stoa.Test/Echo'],
    unary: async () => Buffer.from('heard'),
    streamPath: '/stoa.Test/Stream',
    stream: () => {},
  });
  const client = connectRpc(server.address, calling);
  const answer = await client.unary('/stoa.Test/Echo', Buffer.from('x'), {}, 5_000).catch(() => null);
  client.close();
  return answer?.toString() === 'heard';
};

test.each([
  ['old', 'old', true],
  ['old,new', 'old', true],
  ['old,new', 'old,new', true],
  ['old,new', 'new,old', true],
  ['new,old', 'old,new', true],
  ['new,old', 'new', true],
  ['new', 'new,old', true],
  ['new', 'old', false],
  ['new', 'old,new', false],
  ['new', '', false],
  ['new', 'ne', false],
  ['', 'any', true],
])('served with %j and called with %j: %s', async (serving, calling, reached) => {
  expect(await answers(serving, calling)).toBe(reached);
});

test('a door that others reach has a token', async () => {
  await expect(
    serveRpc({
      address: '0.0.0.0:0',
      token: ' , ',
      unaryPaths: [],
      unary: async () => Buffer.alloc(0),
      streamPath: '/a/b',
      stream: () => {},
    }),
  ).rejects.toThrow('STOA_LINK_TOKEN must be set');
});
