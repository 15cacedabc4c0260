// Who sends what is not wanted, over real sockets: they are heard out within bounds, and read the answer.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { sendRaw } from '#test/support/socket.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

const MIB = 1_048_576;
/** Sent of a body that is far from whole by then. */
const PIECE = Buffer.alloc(64 * 1024, 'x');

const post = (path: string, more: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n\r\n`;
const length = (bytes: number): string => `Content-Length: ${bytes}`;

interface Heard {
  readonly text: string;
  /** Bytes that were taken from it. */
  readonly sent: number;
  /** The door said that nothing follows. */
  readonly ended: boolean;
  readonly problem: string | null;
}

interface Sending {
  readonly head: string;
  readonly bytes: number;
  readonly everyMs?: number;
  readonly piece?: Buffer;
  /** Reads while it sends, instead of once it has said all. */
  readonly reads?: boolean;
  readonly url?: string;
}

const said = (socket: Socket, bytes: Uint8Array | string): Promise<void> =>
  new Promise((done, fail) => {
    const lost = (): void => fail(new Error('gone'));
    if (socket.destroyed) return lost();
    socket.once('close', lost);
    socket.write(bytes, () => {
      socket.off('close', lost);
      done();
    });
  });

/** Says a head and so much of a body, and then hears what there is. */
const send = async ({ head, bytes, everyMs = 0, piece = PIECE, reads = false, url = stoa.url }: Sending) => {
  const { port, hostname } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const heard = { text: '', sent: 0, ended: false, problem: null as string | null };
  socket.on('error', ({ message }) => (heard.problem ??= message));
  socket.on('end', () => (heard.ended = true));
  const gone = new Promise<void>((done) => socket.once('close', () => done()));
  const over = new Promise<void>((done) => socket.once('end', () => done()));
  const hear = (): void => void socket.on('data', (heardBytes) => (heard.text += heardBytes.toString('utf8')));
  await new Promise<void>((done) => socket.once('connect', () => done()));
  if (reads) hear();
  else socket.pause();
  try {
    await said(socket, head);
    while (heard.sent < bytes) {
      await said(socket, piece);
      heard.sent += piece.length;
      if (everyMs > 0) await Bun.sleep(everyMs);
    }
  } catch {
    // Told by `problem`, and by what was sent.
  }
  if (!reads) hear();
  socket.resume();
  await Promise.race([over, gone]);
  socket.destroy();
  return heard satisfies Heard;
};

const statusOf = ({ text }: Heard): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1] ?? 0);
/** The whole of a refusal, which says that it is the last word. */
const isWhole = ({ text }: Heard): void => {
  const [head = '', body = ''] = text.split('\r\n\r\n');
  expect(head).toMatch(/^connection: close/im);
  expect(Buffer.byteLength(body)).toBe(Number(/^content-length: (\d+)/im.exec(head)?.[1]));
  expect(JSON.parse(body).error).toMatchObject({ code: expect.any(String), request_id: expect.any(String) });
};

describe('a sender of a large body that is refused before it is through', () => {
  const authorized = (): string => `Authorization: Bearer ${keys.secret_key}\r\n`;
  test.each<[string, number, () => string]>([
    ['without a key', 401, () => post('/v1/products', length(20 * MIB))],
    ['for no endpoint', 404, () => post('/v1/nothing', length(20 * MIB))],
    ['too large', 413, () => post('/v1/products', authorized() + length(200 * MIB))],
    ['too large for anything', 413, () => post('/v1/products', authorized() + length(99_999_999_999_999))],
    ['in chunks that are none', 400, () => `${post('/v1/products', 'Transfer-Encoding: chunked')}zz\r\n`],
    ['with a head too large', 431, () => post('/v1/products', `A: ${'a'.repeat(20_000)}`)],
  ])('reads all of the refusal once all is said, and its end: %s', async (_name, status, head) => {
    for (const everyMs of [0, 5]) {
      const heard = await send({ head: head(), bytes: 8 * MIB, everyMs });
      expect(heard).toMatchObject({ problem: null, ended: true, sent: 8 * MIB });
      expect(statusOf(heard), heard.text).toBe(status);
      isWhole(heard);
    }
  });

  test('hears of it while it sends', async () => {
    const heard = await send({ head: post('/v1/products', length(20 * MIB)), bytes: 4 * MIB, everyMs: 5, reads: true });
    expect(heard).toMatchObject({ problem: null, ended: true });
    expect(statusOf(heard)).toBe(401);
    isWhole(heard);
  });

  test('that says far too much is cut off', async () => {
    const heard = await send({ head: post('/v1/products', length(200 * MIB)), bytes: 200 * MIB, reads: true });
    expect(heard.sent).toBeLessThan(100 * MIB);
    expect(statusOf(heard)).toBe(401);
    isWhole(heard);
  });

  test('that never comes to an end is cut off', { timeout: 60_000 }, async () => {
    const head = post('/v1/products', length(20 * MIB));
    const heard = await send({ head, bytes: 20 * MIB, piece: Buffer.from('x'), everyMs: 100, reads: true });
    expect(heard.sent).toBeLessThan(1_000);
    expect(statusOf(heard)).toBe(401);
    isWhole(heard);
  });

  test('is not waited for by an edge that stops', { timeout: 60_000 }, async () => {
    const edge = stoa.anotherEdge();
    await eventually(async () =>
      expect(await sendRaw(edge.url, 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n')).toMatch(/^HTTP\/1.1 200/),
    );
    const head = post('/v1/products', length(20 * MIB));
    const trickle = { head, bytes: 20 * MIB, piece: Buffer.from('x'), everyMs: 50, reads: true, url: edge.url };
    let cut = false;
    const sending = Array.from({ length: 8 }, () => send(trickle));
    void Promise.race(sending).then(() => (cut = true));
    await Bun.sleep(500);
    expect(cut).toBe(false);
    await edge.stop();
    for (const heard of await Promise.all(sending)) {
      expect(heard.sent).toBeLessThan(200);
      expect(statusOf(heard)).toBe(401);
      isWhole(heard);
    }
  });
});

describe('a caller who is slow to read the last answer of their connection', () => {
  /** More than machines keep for a connection between its two ends, so that some waits at the door. */
  const PRODUCTS = 100;
  const description = '€'.repeat(45_000);

  test('reads all of it', { timeout: 120_000 }, async () => {
    const { secret_key: key } = keys;
    for (let at = 0; at < PRODUCTS; at++) {
      const body = { name: `Lamp ${at}`, price: 10, description };
      expect((await stoa.send('POST', '/v1/products', { key, body })).status).toBe(201);
    }
    const asked = `GET /v1/products?limit=${PRODUCTS} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nConnection: close\r\n\r\n`;
    /** What is read and what there is, of one who stops once so many bytes before the end. */
    const read = (stopsBefore: number): Promise<{ bytes: number; whole: number; problem: string | null }> =>
      new Promise((done) => {
        const { port, hostname } = new URL(stoa.url);
        const socket = connect({ host: hostname, port: Number(port) });
        const heard = { bytes: 0, whole: 0, problem: null as string | null };
        let stopped = false;
        socket.write(asked);
        socket.on('data', (part) => {
          if (heard.whole === 0) {
            const head = part.toString('latin1');
            heard.whole = head.indexOf('\r\n\r\n') + 4 + Number(/^content-length: (\d+)/im.exec(head)?.[1]);
          }
          heard.bytes += part.length;
          if (stopped || heard.whole - heard.bytes > stopsBefore) return;
          stopped = true;
          socket.pause();
          setTimeout(() => socket.resume(), 5_000);
        });
        socket.on('error', ({ message }) => (heard.problem = message));
        socket.on('close', () => done(heard));
      });
    const readers = await Promise.all(Array.from({ length: 13 }, (_, at) => read(at * MIB)));
    for (const { bytes, whole, problem } of readers) {
      expect(problem).toBeNull();
      expect(whole).toBeGreaterThan(12 * MIB);
      expect(bytes).toBe(whole);
    }
  });
});
