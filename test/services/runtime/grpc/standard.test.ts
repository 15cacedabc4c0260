// gRPC's own health and reflection services, as their packages' codecs ask them; and the guide's client as it stands there.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadSync, type ServiceDefinition } from '@grpc/proto-loader';
import { service as healthDefinition } from 'grpc-health-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { descriptors } from '#proto/descriptor.ts';
import { connectRpc, type RpcClient, type RpcServer, serveRpc, UNARY_CODE, UnaryError } from '#runtime/grpc/grpc.ts';
import { type Stoa, sharedStoa } from '#test/support/stoa.ts';

const TOKEN = 'link-token';
const REFLECTION = 'node_modules/@grpc/reflection/build/proto/grpc/reflection/v1/reflection.proto';

const { Check: healthCheck } = healthDefinition as ServiceDefinition;
const { ServerReflectionInfo: reflection } = loadSync(REFLECTION, { keepCase: true, defaults: true })[
  'grpc.reflection.v1.ServerReflection'
] as ServiceDefinition;

/** The parts of reflection's answers that are looked at. */
interface Shown {
  readonly list_services_response: { readonly service: readonly { readonly name: string }[] };
  readonly file_descriptor_response: { readonly file_descriptor_proto: readonly Uint8Array[] };
}

describe('a host behind a token', () => {
  let server: RpcServer;
  const clients: RpcClient[] = [];

  beforeAll(async () => {
    server = await serveRpc({
      address: '127.0.0.1:0',
      token: TOKEN,
      unaryPaths: ['/stoa.v1.Catalog/GetProduct'],
      unary: async ({ bytes }) => bytes,
      streamPath: '/stoa.v1.Link/Open',
      stream: () => {},
      files: async () => descriptors.files,
    });
  });
  afterAll(async () => {
    for (const client of clients) client.close();
    await server.close(100);
  });

  const clientOf = (token: string): RpcClient => {
    const client = connectRpc(server.address, token);
    clients.push(client);
    return client;
  };
  const check = async (service: string): Promise<unknown> => {
    try {
      const answer = await clientOf('').unary(healthCheck!.path, healthCheck!.requestSerialize({ service }), {}, 5_000);
      return (healthCheck!.responseDeserialize(answer) as { status: string }).status;
    } catch (problem) {
      return (problem as UnaryError).code;
    }
  };
  const reflect = (request: object, token: string): Promise<Shown> =>
    new Promise((done, fail) => {
      const stream = clientOf(token).stream(reflection!.path);
      stream.onEnd((problem) => fail(new Error(problem)));
      stream.onMessage((bytes) => done(reflection!.responseDeserialize(bytes) as Shown));
      stream.send(reflection!.requestSerialize(request));
    });

  test('reports SERVING without a token, for the host and for each service', async () => {
    expect(await check('')).toBe('SERVING');
    expect(await check('stoa.v1.Catalog')).toBe('SERVING');
    expect(await check('stoa.v1.Nothing')).toBe(UNARY_CODE.NOT_FOUND);
  });

  test('shows its services and their files to callers with the token', async () => {
    const listed = await reflect({ list_services: '' }, TOKEN);
    expect(listed.list_services_response.service).toEqual([{ name: 'stoa.v1.Catalog' }]);
    const shown = await reflect({ file_containing_symbol: 'stoa.v1.Catalog' }, TOKEN);
    expect(shown.file_descriptor_response.file_descriptor_proto.length).toBeGreaterThan(1);
  });

  test.each(['', TOKEN, `bearer ${TOKEN}`, 'Bearer other', 'Bearer '])('turns %j away', async (authorization) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const called = clientOf('').unary('/stoa.v1.Catalog/GetProduct', Buffer.from('x'), headers, 5_000);
    await expect(called).rejects.toBeInstanceOf(UnaryError);
    await expect(called).rejects.toMatchObject({ code: UNARY_CODE.UNAUTHENTICATED });
  });

  test('shows nothing to callers without the token', async () => {
    await expect(reflect({ list_services: '' }, '')).rejects.toThrow('Bearer <link token>');
    await expect(reflect({ list_services: '' }, 'other')).rejects.toThrow('Bearer <link token>');
  });

  test('reports NOT_SERVING while it drains', async () => {
    server.drain();
    expect(await check('')).toBe('NOT_SERVING');
    expect(await check('stoa.v1.Catalog')).toBe('NOT_SERVING');
  });
});

describe('the guide', () => {
  let stoa: Stoa;
  let folder: string;
  beforeAll(async () => {
    stoa = await sharedStoa();
    folder = mkdtempSync(join(process.cwd(), '.stoa-guide-'));
  });
  afterAll(async () => {
    if (folder) rmSync(folder, { recursive: true });
  });

  const run = (file: string, env: Record<string, string>): Promise<{ code: number | null; out: string; err: string }> =>
    new Promise((done) => {
      const child = spawn('node', [file], { env: { ...process.env, ...env }, timeout: 60_000 });
      let [out, err] = ['', ''];
      child.stdout.on('data', (bytes) => {
        out += bytes;
      });
      child.stderr.on('data', (bytes) => {
        err += bytes;
      });
      child.once('close', (code) => done({ code, out, err }));
    });

  test('supports a generated client: idempotent creation, and a refusal with its code', async () => {
    const guide = readFileSync('edge/pages/guide/internal_grpc.md', 'utf8');
    const [, program = ''] = /^```js\n(.*?)^```/ms.exec(guide) ?? [];
    const file = join(folder, 'client.mjs');
    writeFileSync(file, program);
    const { store_id } = await stoa.createStore();
    const env = { STOA_LINK: stoa.services.address, STOA_STORE: store_id, STOA_LINK_TOKEN: '' };
    const first = await run(file, env);
    expect(first).toMatchObject({ code: 0, err: '' });
    expect(first.out).toMatch(/^[0-9a-f-]{36} Olive Soap\nnot_found: No such product\.\n$/);
    expect((await run(file, env)).out).toBe(first.out);
  });
});
