// What a head says of its message, and what is no head.
import { describe, expect, test } from 'vitest';
import { Misread, misreadBeginning, readRequestHead, readResponseHead } from '#edge/door/head.ts';

const head = (...lines: string[]): string => lines.map((line) => `${line}\r\n`).join('');

describe('a request', () => {
  test.each<[string, string, number | 'chunked']>([
    ['GET', head('GET /v1/store HTTP/1.1', 'Host: x'), 0],
    ['POST', head('POST /v1/search HTTP/1.1', 'host:x', 'content-LENGTH:\t 12 '), 12],
    ['POST', head('POST / HTTP/1.1', 'Host: x', 'Transfer-Encoding: Chunked'), 'chunked'],
    ['BREW', head('BREW http://x/y?a=b HTTP/1.1', 'Host: x', 'Empty:', 'Latin: \u00e9'), 0],
    ['get', head('get / HTTP/1.0'), 0],
    ['GET', head('GET / HTTP/1.1', 'X-Host: a', 'X-Content-Length: 9', 'Host: x'), 0],
  ])('%s: %j', (verb, text, framing) => {
    expect(readRequestHead(text)).toMatchObject({ verb, framing });
  });

  test.each<[string, string, number]>([
    ['without a version', head('GET /'), 400],
    ['of another version', head('GET / HTTP/2.0', 'Host: x'), 505],
    ['of a version to come', head('GET / HTTP/1.2', 'Host: x'), 505],
    ['with two spaces', head('GET  / HTTP/1.1', 'Host: x'), 400],
    ['with NUL in its path', head('GET /a\0b HTTP/1.1', 'Host: x'), 400],
    ['with a tab in its path', head('GET /a\tb HTTP/1.1', 'Host: x'), 400],
    ['for no path', head('OPTIONS * HTTP/1.1', 'Host: x'), 400],
    ['for a tunnel', head('CONNECT x:443 HTTP/1.1', 'Host: x'), 400],
    ['with a bare line feed', 'GET / HTTP/1.1\nHost: x\r\n', 400],
    ['with a bare line feed in its headers', head('GET / HTTP/1.1', 'Host: x\nA: b'), 400],
    ['of TLS', '\x16\x03\x01\x02\x00', 400],
    ['with a folded header', head('GET / HTTP/1.1', 'Host: x', 'A: b', ' c'), 400],
    ['with a space before the colon', head('GET / HTTP/1.1', 'Host : x'), 400],
    ['with a header that has no colon', head('GET / HTTP/1.1', 'Host: x', 'A'), 400],
    ['with NUL in a header', head('GET / HTTP/1.1', 'Host: x', 'A: b\0'), 400],
    ['without a host', head('GET / HTTP/1.1', 'A: b'), 400],
    ['with two hosts', head('GET / HTTP/1.1', 'Host: x', 'Host: x'), 400],
    ['with two lengths', head('POST / HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Content-Length: 2'), 400],
    [
      'with a length and chunks',
      head('POST / HTTP/1.1', 'Host: x', 'Content-Length: 2', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['with a length below zero', head('POST / HTTP/1.1', 'Host: x', 'Content-Length: -2'), 400],
    ['with a length and a sign', head('POST / HTTP/1.1', 'Host: x', 'Content-Length: +2'), 400],
    ['with a length in hex', head('POST / HTTP/1.1', 'Host: x', 'Content-Length: 0x2'), 400],
    ['with an empty length', head('POST / HTTP/1.1', 'Host: x', 'Content-Length:'), 400],
    ['with another coding', head('POST / HTTP/1.1', 'Host: x', 'Transfer-Encoding: gzip'), 400],
    ['with a coding beside chunks', head('POST / HTTP/1.1', 'Host: x', 'Transfer-Encoding: gzip, chunked'), 400],
    [
      'with chunks twice',
      head('POST / HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'),
      400,
    ],
    ['with chunks in HTTP/1.0', head('POST / HTTP/1.0', 'Host: x', 'Transfer-Encoding: chunked'), 400],
  ])('%s is refused', (_name, text, status) => {
    const read = readRequestHead(text);
    expect(read).toBeInstanceOf(Misread);
    expect((read as Misread).status).toBe(status);
  });
});

describe('the beginning of a request', () => {
  test.each([
    '\r',
    'G',
    'GET',
    'GET ',
    'GET /a',
    'GET /a HTTP/1.1',
    'GET /a HTTP/1.1\r',
    'GET /a HTTP/1.1\r\nHos',
    'BREW / HTTP/2.0\r\n',
  ])('%j may become one', (text) => expect(misreadBeginning(text)).toBeNull());

  test.each(['\x16\x03', 'GET /\r\n', 'GET / HTTP/1.1\nHost: x\n\n', 'G(T', '\n', ' GET /'])('%j never will', (text) =>
    expect(misreadBeginning(text)?.status).toBe(400),
  );
});

describe('an answer', () => {
  const named = 'X-Request-Id: r';
  test.each<[string, string, boolean, object]>([
    [
      'with a length',
      head('HTTP/1.1 200 OK', 'Content-Length: 12', named),
      false,
      { status: 200, framing: 12, last: false, ours: true },
    ],
    ['in chunks', head('HTTP/1.1 200 OK', 'transfer-encoding: chunked'), false, { framing: 'chunked', last: false }],
    ['to HEAD', head('HTTP/1.1 200 OK', 'Content-Length: 12'), true, { framing: 0 }],
    ['that nothing has changed', head('HTTP/1.1 304 Not Modified', 'Content-Length: 12'), false, { framing: 0 }],
    ['that goes on', head('HTTP/1.1 100 Continue'), false, { status: 100, framing: 0 }],
    [
      'that is the last',
      head('HTTP/1.1 200 OK', 'Connection: close', 'Content-Length: 1'),
      false,
      { framing: 1, last: true },
    ],
    [
      'that ends with the connection',
      head('HTTP/1.1 200 OK', 'Connection: close'),
      false,
      { framing: 'open', last: true },
    ],
    [
      'of the runtime itself',
      head('HTTP/1.1 400 Bad Request', 'Connection: close'),
      false,
      { status: 400, ours: false },
    ],
    ['of our own that refuses', head('HTTP/1.1 400 Bad Request', named, 'Content-Length: 3'), false, { ours: true }],
  ])('%s', (_name, text, bare, expected) => {
    expect(readResponseHead(text, bare)).toMatchObject(expected);
  });
});
