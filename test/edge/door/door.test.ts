// The door over real sockets: each request is answered, in order; what is no HTTP gets the error object; and a caller who
// came in by it is known to the limits by their own address.
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/server.ts';
import { sendRaw } from '#test/support/socket.ts';
import { type Keys, type Stoa, startStoa } from '#test/support/stoa.ts';
import { farFromEnd } from '#test/support/window.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await startStoa();
  keys = await stoa.createStore();
});
afterAll(() => stoa.stop());

interface Heard {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

/** The answers in a text, one after the other. */
const answersIn = (text: string): Heard[] => {
  const found: Heard[] = [];
  let rest = text;
  while (rest.startsWith('HTTP/1.1 ')) {
    const end = rest.indexOf('\r\n\r\n');
    const headers = rest.slice(0, end);
    const length = Number(/^content-length: (\d+)/im.exec(headers)?.[1] ?? 0);
    const body = Buffer.from(rest.slice(end + 4))
      .subarray(0, length)
      .toString();
    found.push({ status: Number(headers.slice(9, 12)), headers, body });
    rest = rest.slice(end + 4 + body.length);
  }
  expect(rest).toBe('');
  return found;
};

interface Line {
  /** Waits so many milliseconds where it is a number. */
  readonly pieces: readonly (string | number)[];
  /** Ends the client's side after what it says. */
  readonly ends?: boolean;
  readonly from?: string;
  readonly url?: string;
}

/** What a connection hears until it is ended, or until there are so many answers. */
const talk = (
  { pieces, ends = false, from, url = stoa.url }: Line,
  answers = Number.POSITIVE_INFINITY,
): Promise<Heard[]> =>
  new Promise((done) => {
    const { port, hostname } = new URL(url);
    let text = '';
    const socket = connect({ host: hostname, port: Number(port), ...(from && { localAddress: from }) }, async () => {
      for (const piece of pieces)
        if (typeof piece === 'number') await Bun.sleep(piece);
        else socket.write(Buffer.from(piece, 'latin1'));
      if (ends) socket.end();
    });
    socket.on('data', (bytes) => {
      text += bytes.toString('utf8');
      if ((text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0) < answers) return;
      try {
        if (answersIn(text).length >= answers) socket.destroy();
      } catch {
        // The last one is not whole yet.
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => done(answersIn(text)));
  });

const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const authorized = (): string => `Authorization: Bearer ${keys.secret_key}\r\n`;
const search = (body = '{}'): string =>
  `POST /v1/search HTTP/1.1\r\nHost: x\r\n${authorized()}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

const codeOf = ({ body }: Heard): string => JSON.parse(body).error.code;
const whole = ({ status, headers, body }: Heard): void => {
  expect(headers).toMatch(/^content-type: application\/json/im);
  expect(JSON.parse(body).error).toMatchObject({
    code: expect.any(String),
    message: expect.any(String),
    request_id: /^x-request-id: (\S+)/im.exec(headers)?.[1],
  });
  expect(status).toBeGreaterThanOrEqual(400);
};

describe('a verb', () => {
  test.each(['BREW', 'get', 'X', 'A'.repeat(100)])('that does not exist is 405: %s', async (verb) => {
    const [answer] = await talk({ pieces: [`${verb} /v1/store HTTP/1.1\r\nHost: x\r\n\r\n`] }, 1);
    whole(answer!);
    expect([answer!.status, codeOf(answer!)]).toEqual([405, 'method_not_allowed']);
    expect(answer!.headers).toMatch(/^allow: GET, HEAD, PATCH/im);
  });

  test('that does not exist is 404 where there is no path, with a body too, and the connection goes on', async () => {
    const body = 'Content-Length: 2\r\n\r\n{}';
    const answers = await talk({ pieces: [`BREW /nowhere HTTP/1.1\r\nHost: x\r\n${body}${get('/v1/health')}`] }, 2);
    expect(answers.map(({ status }) => status)).toEqual([404, 200]);
  });

  test.each(METHODS.filter((verb) => !['GET', 'HEAD', 'PATCH', 'CONNECT'].includes(verb)))(
    'that others know is 405: %s',
    async (verb) => {
      const [answer] = await talk({ pieces: [`${verb} /v1/store HTTP/1.1\r\nHost: x\r\n\r\n`] }, 1);
      whole(answer!);
      expect(answer!.status).toBe(405);
    },
  );
});

describe('requests that come before the last one is answered', () => {
  test('are all answered, in order', async () => {
    const asked = [
      get('/v1/store', authorized()),
      get('/v1/health'),
      search(),
      get('/nowhere'),
      get('/openapi.json'),
      search('{"limit":"x"}'),
      `HEAD /v1/store HTTP/1.1\r\nHost: x\r\n${authorized()}\r\n`,
      get('/'),
    ];
    const { pieces, expected } = {
      pieces: asked.filter((request) => !request.startsWith('HEAD')),
      expected: [200, 200, 200, 404, 200, 400, 200],
    };
    const answers = await talk({ pieces: [pieces.join('')] }, expected.length);
    expect(answers.map(({ status }) => status)).toEqual(expected);
    expect(JSON.parse(answers[0]!.body).store.id).toBe(keys.store_id);
    expect(JSON.parse(answers[1]!.body).status).toBe('ok');
    expect(JSON.parse(answers[6]!.body).name).toBe('Stoa');
  });

  test('may be hundreds, and more than is held at once', async () => {
    const pieces = Array.from({ length: 300 }, (_, at) =>
      get(`/nowhere/${at}`, `X-Request-Id: r${at}\r\nX-Fill: ${'f'.repeat(1_000)}\r\n`),
    );
    const answers = await talk({ pieces: [pieces.join('')] }, pieces.length);
    expect(answers.map(({ body }) => JSON.parse(body).error.request_id)).toEqual(pieces.map((_, at) => `r${at}`));
  });

  test('are answered when the caller says nothing more', async () => {
    const answers = await talk({ pieces: [search() + get('/v1/health') + get('/v1/health')], ends: true });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('are not begun after one that closes', async () => {
    const answers = await talk({ pieces: [get('/v1/health', 'Connection: close\r\n') + get('/v1/health')] });
    expect(answers.map(({ status }) => status)).toEqual([200]);
  });

  test('do not hide one that is no HTTP', async () => {
    const answers = await talk({ pieces: [`${search()}${get('/v1/health')}\0\0\0\r\n\r\n${get('/v1/health')}`] });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    whole(answers[2]!);
  });

  test('are found whatever way their bytes are cut', async () => {
    const chunked = `POST /v1/search HTTP/1.1\r\nHost: x\r\n${authorized()}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1;a=b\r\n{\r\n1\r\n}\r\n0\r\n\r\n`;
    const bytes = `\r\n${search()}${chunked}${get('/v1/health')}`;
    await Promise.all(
      [1, 2, 3, 5, 17, 90].map(async (step) => {
        const pieces: (string | number)[] = [];
        for (let at = 0; at < bytes.length; at += step) pieces.push(bytes.slice(at, at + step), 0);
        const answers = await talk({ pieces }, 3);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      }),
    );
  });
});

describe('what is no HTTP', () => {
  const body = 'Content-Type: application/json\r\n';
  test.each<[string, () => string, number]>([
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a word', () => 'hello\r\n', 400],
    ['HTTP/0.9', () => 'GET /\r\n', 400],
    ['HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505],
    ['lines without their beginning', () => 'GET / HTTP/1.1\nHost: x\n\n', 400],
    ['NUL in a path', () => get('/v1/sto\0re'), 400],
    ['no host', () => 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a folded header', () => get('/', 'A: b\r\n c\r\n'), 400],
    ['a header of 20 kB', () => get('/', `A: ${'a'.repeat(20_000)}\r\n`), 431],
    ['a path of 20 kB', () => get(`/${'a'.repeat(20_000)}`), 431],
    ['a thousand headers', () => get('/', 'A: b\r\n'.repeat(1_000)), 431],
    ['two lengths', () => search().replace('Content-Length: 2', 'Content-Length: 2\r\nContent-Length: 3'), 400],
    [
      'a length and chunks',
      () => search().replace('Content-Length: 2', 'Content-Length: 2\r\nTransfer-Encoding: chunked'),
      400,
    ],
    ['a body beyond all limits', () => search().replace('Content-Length: 2', 'Content-Length: 99999999999999'), 413],
    [
      'broken chunks',
      () => `POST /v1/search HTTP/1.1\r\nHost: x\r\n${authorized()}${body}Transfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
    ],
    ['a tunnel', () => 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ])('%s gets the error object, and no more', async (_name, bytes, status) => {
    const answers = await talk({ pieces: [bytes()] });
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    whole(answers[0]!);
    expect(answers[0]!.headers).toMatch(/^connection: close/im);
  });

  test('a request that ends early gets it too', async () => {
    for (const pieces of [['GET / HT'], [search().slice(0, -1)]]) {
      const answers = await talk({ pieces, ends: true });
      expect(answers.map(({ status }) => status)).toEqual([400]);
      whole(answers[0]!);
    }
  });

  test('NUL in a path is 400, after the key where there is an endpoint', async () => {
    for (const path of ['/v1/products/%00', '/v1/products/by-slug/a%00']) {
      expect((await stoa.send('GET', path)).status).toBe(401);
      expect((await stoa.send('GET', path, { key: keys.publishable_key })).status).toBe(400);
    }
    const code = '/v1/cart/promotions/a%00b';
    const named = await stoa.send('DELETE', code, { key: keys.publishable_key, headers: { 'X-Session-Id': 's' } });
    expect([named.status, named.body.error.param]).toEqual([400, 'code']);
    for (const path of ['/v1/store%00', '/nowhere/%00', '/%00?a=b', '/pay/%00']) {
      const { status, body: told } = await stoa.send('GET', path);
      expect([path, status, told.error.code]).toEqual([path, 400, 'invalid_request']);
    }
    expect((await stoa.send('GET', '/v1/health?a=%00')).status).toBe(200);
  });
});

describe('a body', () => {
  test('that takes more than 15 seconds is 408, and so is a head', async () => {
    const half = search('{"query":"x"}').slice(0, -3);
    const chunked = half
      .replace(/Content-Length: \d+/, 'Transfer-Encoding: chunked')
      .replace('{"quer', '6\r\n{"quer\r\n');
    const startedAt = performance.now();
    const heard = await Promise.all([
      talk({ pieces: [half] }),
      talk({ pieces: [half, 4_000, 'x', 4_000, '"', 6_000] }),
      talk({ pieces: [chunked.slice(0, chunked.indexOf('\r\n\r\n') + 4)] }),
      talk({ pieces: [get('/v1/health').slice(0, -2), 5_000, 'A: b\r\n', 5_000, 'C: d\r\n'] }),
    ]);
    expect(performance.now() - startedAt).toBeGreaterThan(14_900);
    expect(heard.map((answers) => answers.map(({ status }) => status))).toEqual(heard.map(() => [408]));
    for (const answers of heard) {
      whole(answers[0]!);
      expect(codeOf(answers[0]!)).toBe('invalid_request');
    }
  });

  test('that is not wanted is refused while it comes, and its sender reads why', async () => {
    const head = 'POST /v1/products HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';
    const fill = 'x'.repeat(200_000);
    const pieces = [`${head}Content-Length: 20000000\r\n\r\n`, ...Array.from({ length: 20 }, () => [fill, 5]).flat()];
    const answers = await talk({ pieces });
    expect(answers.map(({ status }) => status)).toEqual([401]);
    whole(answers[0]!);
  });

  test.each([
    ['POST /v1/products', 401],
    ['POST /v1/nothing', 404],
    ['DELETE /v1/products', 405],
  ])('that is answered before it came ends its connection, and the answer says so: %s', async (line, status) => {
    const head = `${line} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
    const answers = await talk({ pieces: [head, 200, 'x'.repeat(1_000)] });
    expect(answers.map((answer) => answer.status)).toEqual([status]);
    expect(answers[0]!.headers).toMatch(/^connection: close/im);
    whole(answers[0]!);
  });

  test('of 16 MiB comes through whole, and so does a large answer', async () => {
    const positions = Array.from({ length: 9_000 }, (_, at) => [at / 1_000, at % 2 ? 1 : 0.5]);
    const document = { zones: [], padding: 'x'.repeat(12_000_000), positions };
    const put = await stoa.send('PUT', '/v1/shipping/config', { key: keys.secret_key, body: document });
    expect(put.status).toBe(200);
    const page = await (await fetch(`${stoa.url}/docs`)).text();
    const bundle = await fetch(`${stoa.url}${/\/docs\/reference\.\w+\.js/.exec(page)?.[0]}`, {
      headers: { 'Accept-Encoding': 'identity' },
    });
    expect((await bundle.arrayBuffer()).byteLength).toBeGreaterThan(3_000_000);
  });

  test('is asked for where its sender waits for that', async () => {
    const waiting = search().replace('Content-Length', 'Expect: 100-continue\r\nContent-Length').slice(0, -2);
    const answers = await talk({ pieces: [waiting, 200, '{}'] }, 2);
    expect(answers.map(({ status }) => status)).toEqual([100, 200]);
  });
});

describe('a caller who comes in', () => {
  test('is known by their own address', async () => {
    await farFromEnd('auth_minute', 10_000);
    const login = '{"email":"a@example.com","password":"wrong wrong"}';
    const request = search(login).replace('/v1/search', '/v1/auth/refresh');
    const statuses = async (from: string) =>
      (await talk({ pieces: Array.from({ length: 11 }, () => request), from }, 11)).map(({ status }) => status);
    expect((await statuses('127.0.0.2')).filter((status) => status === 429)).toHaveLength(1);
    expect((await statuses('127.0.0.3')).filter((status) => status === 429)).toHaveLength(1);
  });

  test('is let out with an answer when the edge stops, which waits for no connection that asks nothing', async () => {
    const edge = stoa.anotherEdge();
    await eventually(async () => expect(await sendRaw(edge.url, get('/v1/health'))).toMatch(/^HTTP\/1.1 200/));
    const idle = talk({ pieces: [get('/v1/health')], url: edge.url });
    const request = search('{"query":"late"}');
    const waiting = talk({ pieces: [request.slice(0, -5), 900, request.slice(-5) + get('/v1/health')], url: edge.url });
    await Bun.sleep(300);
    const startedAt = performance.now();
    await edge.stop();
    expect(performance.now() - startedAt).toBeLessThan(6_000);
    expect((await idle).map(({ status }) => status)).toEqual([200]);
    const [answer, ...more] = await waiting;
    expect([answer!.status, more]).toEqual([200, []]);
    expect(answer!.headers).toMatch(/^connection: close/im);
    await expect(fetch(edge.url)).rejects.toThrow();
  });
});
