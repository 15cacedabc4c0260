// The client for merchants' URLs against real local servers, and every spelling of an address it must refuse.
import http from 'node:http';
import https from 'node:https';
import type net from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  checkUrl,
  connectOutbound,
  type OutboundAnswer,
  OutboundFailure,
  RETRY_DELAYS_MS,
  retryDelayMs,
} from '#runtime/outbound/outbound.ts';
import { CERTIFICATE, PRIVATE_KEY } from '#test/support/certificate.ts';
import { ownPort } from '#test/support/port.ts';

const LOCAL = { allowLocal: true };
const PUBLIC_ONLY = { allowLocal: false };
const portOf = (server: net.Server) => (server.address() as AddressInfo).port;
const listen = (server: net.Server) => new Promise<void>((done) => server.listen(0, '127.0.0.1', () => done()));

const visits: string[] = [];
const plain = http.createServer((request, response) => {
  visits.push(request.url ?? '');
  if (request.url === '/moved') return response.writeHead(302, { location: '/elsewhere' }).end('moved');
  if (request.url === '/never') return;
  if (request.url === '/drip') {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    return request.on('close', () => clearInterval(timer));
  }
  if (request.url === '/long') return response.end('x'.repeat(200_000));
  if (request.url === '/cut') {
    response.writeHead(200, { 'content-length': '100' });
    response.write('only a part');
    return setTimeout(() => request.socket.destroy(), 20);
  }
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        headers: request.headers,
        body: String(Buffer.concat(parts)),
      }),
    );
  });
});
const secure = https.createServer({ key: PRIVATE_KEY, cert: CERTIFICATE }, (_request, response) =>
  response.end('safe'),
);

beforeAll(async () => {
  await listen(plain);
  await listen(secure);
});
afterAll(() => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    server.close();
  }
});

const local = connectOutbound({ allowLocal: true });
const ask = (path: string, more: object = {}) =>
  local.send({ url: `http://127.0.0.1:${portOf(plain)}${path}`, environment: 'sandbox', timeoutMs: 5_000, ...more });
const answered = async (pending: Promise<OutboundAnswer | OutboundFailure>): Promise<OutboundAnswer> => {
  const answer = await pending;
  if (answer instanceof OutboundFailure) throw new Error(answer.message);
  return answer;
};
const failed = async (pending: Promise<OutboundAnswer | OutboundFailure>) => {
  const answer = await pending;
  return answer instanceof OutboundFailure ? answer.reason : `answered ${answer.status}`;
};

describe('checkUrl in production', () => {
  test.each([
    'https://shop.example.com/hook',
    'https://shop.example.com:443/hook',
    'https://shop.example.com:8443/',
    'https://shop.example.com:1024/?a=b',
    'https://93.184.216.34/',
    'https://[2606:2800:220:1::1]/',
    'https://bücher.example/',
  ])('accepts %s', (url) => {
    expect(checkUrl(url, 'production', PUBLIC_ONLY)).toBeInstanceOf(URL);
    expect(checkUrl(url, 'production', LOCAL)).toBeInstanceOf(URL);
  });

  test.each([
    '',
    'shop.example.com',
    '//shop.example.com',
    'ftp://shop.example.com/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'http://shop.example.com/',
    'https://user@shop.example.com/',
    'https://user:word@shop.example.com/',
    'https://shop.example.com:22/',
    'https://shop.example.com:80/',
    'https://shop.example.com:1023/',
    'https://localhost/',
    'https://localhost./',
    'https://localhost../',
    'https://shop..example.com/',
    'https://./',
    'https://a.localhost/',
    'https://nats/',
    `https://shop.example.com/${'a'.repeat(2048)}`,
  ])('refuses %s', (url) => {
    expect(checkUrl(url, 'production', PUBLIC_ONLY)).toBeTypeOf('string');
    expect(checkUrl(url, 'production', LOCAL)).toBeTypeOf('string');
  });
});

const INWARD = [
  '0.0.0.0',
  '0',
  '10.1.2.3',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f.0.0.1',
  '0x7f000001',
  '0177.0.0.1',
  '①②⑦.0.0.1',
  '127.0.0.1.',
  '169.254.169.254',
  '0xa9fea9fe',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.8',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '[::]',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:10.0.0.1]',
  '[::ffff:0:127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::a00:1]',
  '[100::1]',
  '[2001::1]',
  '[2001:20::1]',
  '[2001:db8::1]',
  '[2002:7f00:1::]',
  '[2002:a00:1::]',
  '[3fff::1]',
  '[5f00::1]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
];
const LOOPBACK = new Set(
  ['127.0.0.1', '127.1', '2130706433', '0x7f.0.0.1', '0x7f000001', '0177.0.0.1', '①②⑦.0.0.1'].concat([
    '127.0.0.1.',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
  ]),
);

describe('an address inside our own network', () => {
  test.each(INWARD)('%s is refused in every environment', async (host) => {
    expect(checkUrl(`https://${host}/`, 'production', PUBLIC_ONLY)).toBeTypeOf('string');
    expect(checkUrl(`https://${host}/`, 'production', LOCAL)).toBeTypeOf('string');
    expect(checkUrl(`https://${host}/`, 'sandbox', PUBLIC_ONLY)).toBeTypeOf('string');
  });

  test.each(INWARD)('%s is open to the sandbox under STOA_ALLOW_LOCAL_WEBHOOKS only if it is this machine', (host) => {
    const checked = checkUrl(`http://${host}:8080/`, 'sandbox', LOCAL);
    if (LOOPBACK.has(host)) expect(checked).toBeInstanceOf(URL);
    else expect(checked).toBeTypeOf('string');
  });

  test.each([
    ...INWARD.filter((host) => /^(\d+\.){3}\d+$/.test(host)),
    ...INWARD.filter((host) => host.startsWith('[')).map((host) => host.slice(1, -1)),
    'fe80::1%eth0',
    'nonsense',
  ])('a public name that resolves to %s is not called', async (address) => {
    const client = connectOutbound({ allowLocal: false, resolve: async () => [address] });
    const url = `https://shop.example.com:${portOf(secure)}/`;
    expect(await failed(client.send({ url, environment: 'production', timeoutMs: 5_000 }))).toBe('refused');
    expect(await failed(client.send({ url, environment: 'sandbox', timeoutMs: 5_000 }))).toBe('refused');
  });

  test('production stays closed when the sandbox is open', async () => {
    const client = connectOutbound({ allowLocal: true, resolve: async () => ['127.0.0.1'] });
    const url = `https://shop.example.com:${portOf(secure)}/`;
    expect(await failed(client.send({ url, environment: 'production', timeoutMs: 5_000 }))).toBe('refused');
  });

  test('resolves a name once and connects to the address that was checked', async () => {
    let asked = 0;
    const client = connectOutbound({
      allowLocal: true,
      ca: CERTIFICATE,
      resolve: async () => (++asked === 1 ? ['10.0.0.1', '127.0.0.1'] : ['10.0.0.1']),
    });
    const url = `https://shop.example:${portOf(secure)}/`;
    const answer = await answered(client.send({ url, environment: 'sandbox', timeoutMs: 5_000 }));
    expect(Buffer.from(answer.body).toString()).toBe('safe');
    expect(asked).toBe(1);
  });
});

describe('an exchange', () => {
  test('sends method, headers and body, names the host, asks for no compression and reads the answer', async () => {
    const answer = await answered(
      ask('/hook?a=1', { method: 'POST', headers: { 'content-type': 'text/plain', 'x-one': '1' }, body: 'größe' }),
    );
    expect(answer).toMatchObject({ status: 200, truncated: false, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(Buffer.from(answer.body).toString())).toMatchObject({
      method: 'POST',
      url: '/hook?a=1',
      body: 'größe',
      headers: {
        host: `127.0.0.1:${portOf(plain)}`,
        'content-length': '7',
        'accept-encoding': 'identity',
        'x-one': '1',
      },
    });
  });

  test('never follows a redirect', async () => {
    visits.length = 0;
    const answer = await answered(ask('/moved'));
    expect(answer).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
    expect(visits).toEqual(['/moved']);
  });

  test('reads 64 kB at most unless told otherwise', async () => {
    const answer = await answered(ask('/long'));
    expect([answer.body.length, answer.truncated]).toEqual([65_536, true]);
    const whole = await answered(ask('/long', { bytesMax: 200_000 }));
    expect([whole.body.length, whole.truncated]).toEqual([200_000, false]);
  });

  test('hands the body to a sink in order, chunk by chunk, up to the limit', async () => {
    const chunks: Uint8Array[] = [];
    let writing = 0;
    const sink = async (chunk: Uint8Array): Promise<void> => {
      expect(++writing).toBe(1);
      chunks.push(Buffer.from(chunk));
      await Bun.sleep(1);
      writing--;
    };
    const whole = await answered(ask('/long', { bytesMax: 200_000 }));
    const sunk = await answered(ask('/long', { bytesMax: 200_000, sink }));
    expect([sunk.body.length, sunk.truncated]).toEqual([0, false]);
    expect(Buffer.compare(Buffer.concat(chunks), whole.body)).toBe(0);
    chunks.length = 0;
    const cut = await answered(ask('/long', { bytesMax: 100_000, sink }));
    expect([cut.truncated, Buffer.concat(chunks).length]).toEqual([true, 100_000]);
    const full = ask('/long', { bytesMax: 200_000, sink: () => Promise.reject(new Error('full')) });
    expect(await failed(full)).toBe('unreachable');
  });

  test.each(['/never', '/drip'])('gives up on %s when its whole time is over', async (path) => {
    expect(await failed(ask(path, { timeoutMs: 150 }))).toBe('timed_out');
  });

  test('gives up on a resolver that does not answer', async () => {
    const client = connectOutbound({ allowLocal: false, resolve: () => new Promise(() => {}) });
    const sent = client.send({ url: 'https://shop.example.com/', environment: 'production', timeoutMs: 50 });
    expect(await failed(sent)).toBe('timed_out');
  });

  test('an unknown name, a closed port and a broken answer are unreachable', async () => {
    const client = connectOutbound({ allowLocal: false, resolve: () => Promise.reject(new Error('ENOTFOUND')) });
    const sent = client.send({ url: 'https://shop.example.com/', environment: 'production', timeoutMs: 5_000 });
    expect(await failed(sent)).toBe('unreachable');
    const url = `http://127.0.0.1:${await ownPort()}/`;
    expect(await failed(local.send({ url, environment: 'sandbox', timeoutMs: 5_000 }))).toBe('unreachable');
    expect(await failed(ask('/cut'))).toBe('unreachable');
  });

  test('the next address is tried when no server listens at the first', async () => {
    const client = connectOutbound({ allowLocal: true, resolve: async () => ['::1', '127.0.0.1'] });
    const url = `http://localhost:${portOf(plain)}/`;
    expect((await answered(client.send({ url, environment: 'sandbox', timeoutMs: 5_000 }))).status).toBe(200);
  });

  test('a certificate is verified for the name that was asked for', async () => {
    const port = portOf(secure);
    const send = (host: string, ca?: string) =>
      connectOutbound({
        allowLocal: true,
        resolve: async () => ['127.0.0.1'],
        ...(ca === undefined ? {} : { ca }),
      }).send({
        url: `https://${host}:${port}/`,
        environment: 'sandbox',
        timeoutMs: 5_000,
      });
    expect((await answered(send('shop.example', CERTIFICATE))).status).toBe(200);
    expect(await failed(send('other.example', CERTIFICATE))).toBe('unreachable');
    expect(await failed(send('shop.example'))).toBe('unreachable');
  });

  test('a proxy named in the environment is not used', async () => {
    const before = process.env.HTTP_PROXY;
    process.env.HTTP_PROXY = process.env.http_proxy = 'http://127.0.0.1:9';
    try {
      expect((await answered(ask('/direct'))).status).toBe(200);
    } finally {
      for (const name of ['HTTP_PROXY', 'http_proxy']) {
        if (before === undefined) delete process.env[name];
        else process.env[name] = before;
      }
    }
  });
});

describe('retries of a delivery', () => {
  test('follows the documented schedule', () => {
    const minutes = RETRY_DELAYS_MS.map((ms) => ms / 60_000);
    expect(minutes).toEqual([1, 5, 30, 2 * 60, 8 * 60, 24 * 60, 48 * 60]);
  });

  test('delays by a twentieth at most, and never early', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), fc.double({ min: 0, max: 1, noNaN: true }), (step, chance) => {
        const delay = retryDelayMs(step, chance)!;
        const least = RETRY_DELAYS_MS[step - 1]!;
        expect(delay).toBeGreaterThanOrEqual(least);
        expect(delay).toBeLessThanOrEqual(least * 1.05);
      }),
    );
  });

  test('ends after the eighth attempt', () => {
    expect([retryDelayMs(7, 0), retryDelayMs(8, 0), retryDelayMs(9, 1)]).toEqual([48 * 3_600_000, null, null]);
  });
});
