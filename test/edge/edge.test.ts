// Edges side by side over the same services, and what their sockets take.
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { sendRaw } from '#test/support/socket.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';
import { awayFromWindowEnd } from '#test/support/window.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

describe('two edges', () => {
  test('learn within a second what the other one wrote', async () => {
    const second = stoa.anotherEdge();
    const read = async () =>
      (
        await fetch(`${second.url}/v1/store`, { headers: { Authorization: `Bearer ${keys.publishable_key}` } })
      ).json() as Promise<{ store: { description: string } }>;
    await eventually(async () => expect((await read()).store).toBeDefined());
    await stoa.send('PATCH', '/v1/store', { key: keys.secret_key, body: { description: 'from the first' } });
    await eventually(async () => expect((await read()).store.description).toBe('from the first'));
  });
});

describe('an edge that is about to end', () => {
  const authorized = (key: string) => ({ Authorization: `Bearer ${key}` });

  test('says so in its health, serves on, and closes each connection with its answer', async () => {
    const edge = stoa.anotherEdge();
    const send = async (path: string, method = 'GET'): Promise<[number, string, string | null]> => {
      const answer = await fetch(`${edge.url}${path}`, { method, headers: authorized(keys.publishable_key) });
      const text = (await answer.text()).replace(/req_[\w-]+/, '').slice(0, 200);
      return [answer.status, text, answer.headers.get('connection')];
    };
    await eventually(async () => expect((await send('/v1/health'))[0]).toBe(200));
    const paths = ['/v1/store', '/v1/products/by-slug/a%20%C3%A4', '/v1/products?limit=0', '/nowhere', '/openapi.json'];
    const before = await Promise.all(paths.map((path) => send(path)));
    expect(before.map(([, , connection]) => connection)).not.toContain('close');
    edge.drain();
    const health = await fetch(`${edge.url}/v1/health`);
    expect([health.status, health.headers.get('retry-after'), health.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    const body = await health.json();
    expect(body).toMatchObject({ status: 'degraded', components: { edge: 'draining', services: 'ok' } });
    const after = await Promise.all(paths.map((path) => send(path)));
    expect(after).toEqual(before.map(([status, text]) => [status, text, 'close']));
    expect((await send('/v1/store', 'DELETE'))[0]).toBe(405);
  });

  test('answers what is under way, long polls at once, and then takes nothing more', async () => {
    const edge = stoa.anotherEdge();
    const read = async (path: string) => {
      const answer = await fetch(`${edge.url}${path}`, { headers: authorized(keys.secret_key) });
      return { status: answer.status, body: (await answer.json()) as { position: string } };
    };
    const { body } = await eventually(async () => {
      const answered = await read('/v1/webhook-events?follow=now&type=payment.failed');
      expect(answered.status).toBe(200);
      return answered;
    });
    const poll = `/v1/webhook-events?follow=${encodeURIComponent(body.position)}&type=payment.failed&wait_seconds=8`;
    // Asked before, of an edge that stays: it waits its whole time.
    const leaving = new AbortController();
    let isOver = false;
    const elsewhere = fetch(`${stoa.url}${poll}`, {
      headers: authorized(keys.secret_key),
      signal: leaving.signal,
    }).then(
      () => {
        isOver = true;
      },
      () => {},
    );
    await eventually(() => expect(stoa.services.host.running).toBeGreaterThan(0));
    const waiting = read(poll);
    await eventually(() => expect(stoa.services.host.running).toBeGreaterThan(1));
    await edge.stop();
    expect((await waiting).status).toBe(200);
    expect(isOver).toBe(false);
    leaving.abort();
    await elsewhere;
    await expect(fetch(`${edge.url}/v1/health`)).rejects.toThrow();
  });

  test('waits for a body that is on its way, and closes what asks nothing', async () => {
    const edge = stoa.anotherEdge();
    const { port, hostname } = new URL(edge.url);
    const health = 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n';
    await eventually(async () => expect(await sendRaw(edge.url, health)).toMatch(/^HTTP\/1.1 200/));
    const open = (first: string) => {
      const received = { text: '' };
      const socket = connect(Number(port), hostname, () => socket.write(first));
      socket.on('data', (bytes) => {
        received.text += bytes.toString('latin1');
      });
      const closed = new Promise<void>((done) => socket.on('close', () => done()));
      return { socket, received, closed };
    };
    const idle = open(health);
    const body = '{"query":"late"}';
    const late = open(
      `POST /v1/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.secret_key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    );
    await eventually(() => expect(idle.received.text).toMatch(/^HTTP\/1.1 200/));
    await eventually(() => expect(edge.app.server?.pendingRequests).toBe(1));
    const stopped = edge.stop();
    await idle.closed;
    late.socket.write(body.slice(5));
    await Promise.all([stopped, late.closed]);
    expect(late.received.text).toMatch(/^HTTP\/1.1 200/);
    await expect(fetch(edge.url)).rejects.toThrow();
  });
});

describe('a connection', () => {
  const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
  const post = (path: string, more: string, body = ''): string =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${more}\r\n\r\n${body}`;
  const search = (framing: string, body: string): string =>
    post('/v1/search', `Authorization: Bearer ${keys.secret_key}\r\n${framing}`, body);
  const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3}) /.exec(answer)?.[1] ?? 0);

  test.each(METHODS.filter((verb) => !['GET', 'HEAD', 'PATCH', 'CONNECT'].includes(verb)))(
    'hears 405 for a verb that the path does not take: %s',
    async (verb) => {
      const answer = await sendRaw(stoa.url, `${verb} /v1/store HTTP/1.1\r\nHost: x\r\n\r\n`);
      expect(statusOf(answer)).toBe(405);
      expect(answer).toMatch(/^allow: GET, HEAD, PATCH/im);
      expect(answer).toContain('"code":"method_not_allowed"');
    },
  );

  test.each<[string, () => string]>([
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a word', () => 'hello\r\n'],
    ['an unknown verb', () => 'BREW /v1/health HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['HTTP/0.9', () => 'GET /v1/health\r\n'],
    ['HTTP/1.0 without a host', () => 'GET /v1/health HTTP/1.0\r\n\r\n'],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['line feeds alone', () => 'GET /v1/health HTTP/1.1\nHost: x\n\n'],
    ['NUL in a path', () => get('/v1/hea\0lth')],
    ['NUL in a header', () => get('/v1/health', 'A: b\0c\r\n')],
    ['no host', () => 'GET /v1/health HTTP/1.1\r\n\r\n'],
    ['two hosts', () => get('/v1/health', 'Host: y\r\n')],
    ['the same host twice', () => get('/v1/health', 'Host: x\r\n')],
    ['a folded header', () => get('/v1/health', 'A: b\r\n c\r\n')],
    ['a header of 20 kB', () => get('/v1/health', `A: ${'a'.repeat(20_000)}\r\n`)],
    ['a path of 20 kB', () => get(`/v1/health?${'a'.repeat(20_000)}`)],
    ['a thousand headers', () => get('/v1/health', 'A: b\r\n'.repeat(1_000))],
    ['two lengths', () => search('Content-Length: 2\r\nContent-Length: 3', '{} ')],
    ['the same length twice', () => search('Content-Length: 2\r\nContent-Length: 2', '{}')],
    ['a length and chunks', () => search('Content-Length: 2\r\nTransfer-Encoding: chunked', '2\r\n{}\r\n0\r\n\r\n')],
    ['a transfer coding beside chunks', () => search('Transfer-Encoding: gzip, chunked', '2\r\n{}\r\n0\r\n\r\n')],
    ['a length with a sign', () => search('Content-Length: +2', '{}')],
    ['broken chunks', () => search('Transfer-Encoding: chunked', 'zz\r\n')],
    ['a body beyond all limits', () => search('Content-Length: 99999999999999', '{}')],
    ['a tunnel', () => 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  ])('refuses %s, or closes the connection', async (_name, bytes) => {
    const status = statusOf(await sendRaw(stoa.url, bytes()));
    expect(status === 0 || (status >= 400 && status < 500) || status === 505, `${status}`).toBe(true);
  });

  test.each([
    ['whole', '{}'],
    ['asked for first', '{}'],
    ['in chunks', '1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n'],
  ])('carries a body %s, and the next request after it', async (how, body) => {
    const framing = how === 'in chunks' ? 'Transfer-Encoding: chunked' : 'Content-Length: 2';
    const head = search(how === 'asked for first' ? `Expect: 100-continue\r\n${framing}` : framing, '');
    const { port, hostname } = new URL(stoa.url);
    const socket = connect(Number(port), hostname);
    let received = '';
    socket.on('data', (bytes) => {
      received += bytes.toString('latin1');
    });
    const receivedOf = (pattern: RegExp) => eventually(() => expect(received).toMatch(pattern));
    socket.write(how === 'asked for first' ? head : head + body);
    if (how === 'asked for first') {
      await receivedOf(/HTTP\/1\.1 100 /);
      socket.write(body);
    }
    await receivedOf(/"products":/);
    socket.write(get('/v1/health'));
    await receivedOf(/"status":/);
    expect(received.match(/HTTP\/1\.1 200 /g)).toHaveLength(2);
    socket.destroy();
  });

  test('carries a body of 12 MB whole', async () => {
    const positions = Array.from({ length: 9_000 }, (_, at) => [at / 1_000, at % 2 ? 1 : 0.5]);
    const document = { zones: [], padding: 'x'.repeat(12_000_000), positions };
    const put = await stoa.send('PUT', '/v1/shipping/config', { key: keys.secret_key, body: document });
    expect(put.status).toBe(200);
  });

  test.each([
    ['without a key', '/v1/products', '', 401],
    ['for no endpoint', '/v1/nothing', '', 404],
    ['too large', '/v1/products', 'key', 413],
  ])('lets the sender of a large body read why it is refused: %s', async (_name, path, key, status) => {
    const bytes = 8 * 1_048_576;
    const authorization = key === '' ? '' : `Authorization: Bearer ${keys.secret_key}\r\n`;
    const head = post(path, `${authorization}Content-Length: ${bytes}`);
    // The answer is read once all is sent, as most clients do.
    const { port, hostname } = new URL(stoa.url);
    const socket = connect(Number(port), hostname);
    socket.pause();
    socket.write(head);
    await new Promise<void>((done, fail) => {
      socket.on('error', fail);
      socket.write(Buffer.alloc(bytes, 'x'), () => done());
    });
    const answer = await new Promise<string>((done) => {
      socket.on('data', (received) => done(received.toString('latin1')));
      socket.resume();
    });
    expect(statusOf(answer)).toBe(status);
    socket.destroy();
  });

  test('closes where its first head does not come, however it trickles', { timeout: 60_000 }, async () => {
    const { port, hostname } = new URL(stoa.url);
    const closed = ['', 'GET /v1/hea', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nA: '].map((beginning) => {
      const socket = connect(Number(port), hostname, () => socket.write(beginning));
      const drip = setInterval(() => beginning !== '' && socket.write('a'), 1_000);
      socket.on('error', () => {});
      socket.resume();
      return new Promise<void>((done) =>
        socket.on('close', () => {
          clearInterval(drip);
          done();
        }),
      );
    });
    await Promise.all(closed);
  });

  test('charges its calls to the address of its own end', async () => {
    await awayFromWindowEnd('auth_minute', 10_000);
    const { port, hostname } = new URL(stoa.url);
    const body = '{"refresh_token":"wrong"}';
    const head = `POST /v1/auth/refresh HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.secret_key}\r\n`;
    const request = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    const status = (localAddress: string): Promise<number> =>
      new Promise((done) => {
        const socket = connect({ host: hostname, port: Number(port), localAddress }, () => socket.write(request));
        socket.on('data', (received) => done(statusOf(received.toString('latin1'))));
      });
    for (const address of ['127.0.0.2', '127.0.0.3']) {
      const statuses: number[] = [];
      for (let at = 0; at < 11; at++) statuses.push(await status(address));
      expect(statuses.filter((each) => each === 429)).toHaveLength(1);
    }
  });
});
