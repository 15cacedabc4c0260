// Which texts pass as a UUID, an e-mail address, a date, a URL; and how lengths are counted.
import { describe, expect, it } from 'vitest';
import { FORMATS, misfit } from '#proto/format.ts';

const LABEL = 'a'.repeat(63);

describe.each([
  [
    'uuid',
    [
      '0f5c1d0e-6f1b-4c63-9d4e-2a7b8c9d0e1f',
      '0F5C1D0E-6F1B-4C63-9D4E-2A7B8C9D0E1F',
      '00000000-0000-0000-0000-000000000000',
    ],
    [
      '',
      '0f5c1d0e6f1b4c639d4e2a7b8c9d0e1f',
      '{0f5c1d0e-6f1b-4c63-9d4e-2a7b8c9d0e1f}',
      '0f5c1d0e-6f1b-4c63-9d4e-2a7b8c9d0e1g',
      '0f5c1d0e-6f1b-4c63-9d4e-2a7b8c9d0e1f\n',
    ],
  ],
  [
    'email',
    [
      'ada@example.com',
      'a.b+c@sub.example.co.uk',
      "o'hara@example.com",
      'müller@bücher.de',
      'mu\u0308ller@bu\u0308cher.de',
      'अदा@उदाहरण.भारत',
      `${'a'.repeat(64)}@${LABEL}.com`,
    ],
    [
      '',
      'ada',
      'ada@',
      '@example.com',
      'ada@example',
      'a da@example.com',
      'ada@@example.com',
      '.ada@example.com',
      'a..b@example.com',
      'ada@-example.com',
      'ada@example-.com',
      'ada@example..com',
      'ada@example.com\n',
      'ada@exa_mple.com',
      `${'a'.repeat(65)}@example.com`,
      `a@${LABEL}.${LABEL}.${LABEL}.${LABEL}.com`,
      '"a b"@example.com',
      'ada@[127.0.0.1]',
      'ada\u0000@example.com',
    ],
  ],
  [
    'uri',
    ['https://example.com', 'urn:isbn:0451450523', 'mailto:ada@example.com', 'https://example.com/%20?a=b#c'],
    [
      '',
      'example.com',
      '/path',
      'https://exa mple.com',
      'https://example.com/\n',
      'https://example.com/<a>',
      'https:\\\\example.com',
      'http://[::1',
    ],
  ],
  [
    'media-url',
    ['https://example.com/a.png', '0197c3f0-1a2b-4c3d-8e4f-5a6b7c8d9e0f'],
    ['', 'a.png', '0197c3f0', 'ftp://a.b'],
  ],
  [
    'http-url',
    ['http://example.com', 'HTTPS://EXAMPLE.com:8443/a?b#c', 'https://bücher.de/größe', 'http://[::1]:80/'],
    [
      '',
      'ftp://example.com',
      'javascript:alert(1)',
      'https:example.com',
      'https:///example.com',
      'https://',
      'https://?a',
      'https://user@example.com',
      'https://:secret@example.com',
      'https://example.com:99999',
      ' https://example.com',
      'data:text/html,a',
    ],
  ],
  [
    'date-time',
    [
      '2026-01-31T09:30:00Z',
      '2026-01-31t09:30:00.123456z',
      '2024-02-29T23:59:59+14:00',
      '2026-01-31T09:30:00-03:30',
      '9999-12-31T23:59:59Z',
    ],
    [
      '',
      '2026-01-31',
      '2026-01-31T09:30:00',
      '2026-01-31 09:30:00Z',
      '2026-02-29T00:00:00Z',
      '2026-01-31T24:00:00Z',
      '2026-01-31T09:60:00Z',
      '2026-01-31T09:30:60Z',
      '2026-01-31T09:30Z',
      '2026-01-31T09:30:00+24:00',
      '2026-01-31T09:30:00.Z',
      '+12026-01-31T09:30:00Z',
      '0001-01-01T00:00:00Z',
      '0999-12-31T23:59:59Z',
      '9999-12-31T23:59:59-01:00',
    ],
  ],
  [
    'date',
    ['2026-01-31', '2024-02-29', '2000-02-29', '0001-01-01'],
    [
      '',
      '2026-1-31',
      '2026-13-01',
      '2026-00-01',
      '2026-04-31',
      '2023-02-29',
      '1900-02-29',
      '2026-01-00',
      '0000-01-01',
      '2026-01-31T00:00:00Z',
    ],
  ],
  [
    'line',
    ['', ' ', 'Ada Ńamę', '+254 (0) 700-000', '東京都千代田区', 'Škofja Loka 12/a, št. 3', '\u200fאדה\u200e'],
    ['\n', 'a\tb', 'a\rb', '\u0007', '\u0000', '\u007f', '\u0085', '\u009b', 'a\u2028b', 'a\u2029b'],
  ],
  ['words', ['a', ' a ', '.', '🙂'], ['', ' ', '\n\t', '\u00a0\u2003\u3000']],
  ['currency', ['USD', 'usd', 'Kes'], ['', 'US', 'USDT', 'U1D', 'ÜSD', 'USD ']],
] as const)('%s', (format, good, bad) => {
  it.each(good)('accepts %j', (text) => expect(FORMATS[format]!.is(text)).toBe(true));
  it.each(bad)('refuses %j', (text) => expect(FORMATS[format]!.is(text)).toBe(false));
});

describe('a text with bounds', () => {
  it.each([
    [{ maxLength: 2 }, '🙂🙂', null],
    [{ maxLength: 2 }, '🙂🙂🙂', 'be at most 2 characters'],
    [{ maxLength: 2 }, 'abc', 'be at most 2 characters'],
    [{ minLength: 2 }, '🙂', 'be at least 2 characters'],
    [{ minLength: 2 }, 'ab', null],
    [{ minLength: 1 }, '', 'not be empty'],
    [{ pattern: '^.$' }, '🙂', null],
    [{ pattern: '^[a-z]$' }, 'a\n', 'match ^[a-z]$'],
    [{ format: 'uuid' }, 'x', 'be a UUID'],
  ])('%j %j', (bounds, text, words) => expect(misfit(bounds, text)).toBe(words));
});
