// A mail on the wire, as a real mail server receives it: headers, parts, and texts of strangers that try to add headers.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OutgoingMail, openSmtp, type Smtp } from '#services/mail/smtp.ts';
import { type Letter, openPostOffice, type PostOffice } from './post_office.ts';

let office: PostOffice;
let smtp: Smtp;
beforeEach(async () => {
  office = await openPostOffice();
  smtp = openSmtp(office.url, 'shop@mail.example');
});
afterEach(async () => {
  smtp.close();
  await office.close();
});

const MAIL: OutgoingMail = {
  id: '0b9f2c3e-0000-4000-8000-000000000001',
  to: 'ada@example.com',
  subject: 'Your order 1001',
  text: 'Thank you.\n',
  html: '<p>Thank you.</p>',
  sender: { name: 'Lamps & Sons', replyTo: 'hello@lamps.example' },
  unsubscribeUrl: null,
};

const sent = async (change: Partial<OutgoingMail> = {}): Promise<Letter> => {
  expect(await smtp.send({ ...MAIL, ...change })).toBeNull();
  return office.letters.at(-1)!;
};

/** Returns the headers by name, unfolded; each with all of its values. */
const headersOf = ({ data }: Letter): ReadonlyMap<string, readonly string[]> => {
  const head = data.slice(0, data.indexOf('\n\n')).replace(/\n[ \t]+/g, ' ');
  return Map.groupBy(head.split('\n'), (line) => line.slice(0, line.indexOf(':')).toLowerCase());
};

const ORDINARY = [
  'auto-submitted',
  'content-type',
  'date',
  'from',
  'message-id',
  'mime-version',
  'reply-to',
  'subject',
  'to',
];

test('writes each header that a signature covers once, and a text beside the HTML', async () => {
  const letter = await sent();
  const headers = headersOf(letter);
  expect([...headers.keys()].sort()).toEqual(ORDINARY);
  for (const [name, lines] of headers) expect(lines, name).toHaveLength(1);
  expect(headers.get('from')).toEqual(['From: "Lamps & Sons" <shop@mail.example>']);
  expect(headers.get('reply-to')).toEqual(['Reply-To: "Lamps & Sons" <hello@lamps.example>']);
  expect(headers.get('message-id')).toEqual([`Message-ID: <${MAIL.id}@mail.example>`]);
  expect(Date.parse(headers.get('date')![0]!.slice('Date: '.length))).toBeGreaterThan(0);
  expect(headers.get('auto-submitted')).toEqual(['Auto-Submitted: auto-generated']);
  expect(letter.data.match(/^Content-Type: .*$/gm)!.map((line) => line.replace(/;.*/, ''))).toEqual([
    'Content-Type: multipart/alternative',
    'Content-Type: text/plain',
    'Content-Type: text/html',
  ]);
});

test('names the address that unsubscribes in marketing alone', async () => {
  const url = `https://stoa.example/mail/unsubscribe/${'t'.repeat(300)}`;
  const headers = headersOf(await sent({ unsubscribeUrl: url }));
  expect(headers.get('list-unsubscribe')?.map((line) => line.replaceAll(' ', ''))).toEqual([
    `List-Unsubscribe:<${url}>`,
  ]);
  expect(headers.get('list-unsubscribe-post')).toEqual(['List-Unsubscribe-Post: List-Unsubscribe=One-Click']);
  expect([...headersOf(await sent()).keys()].filter((name) => name.startsWith('list-'))).toEqual([]);
});

test('keeps the message id at every attempt', async () => {
  const ids = [await sent(), await sent()].map((letter) => headersOf(letter).get('message-id'));
  expect(ids[0]).toEqual(ids[1]);
});

describe('a header injection', () => {
  const LINES = [
    '\r\nBcc: eve@example.com',
    '\nBcc: eve@example.com\n\nbody',
    '\rBcc: eve@example.com',
    '\u2028Bcc: x',
  ];
  const NAMES = ['Lamps "& Sons", Ltd', 'a <eve@example.com>, b', '\\"', '=?UTF-8?Q?=0D=0ABcc:_eve?=', '日本の店'];

  const hasOrdinaryHeaders = (letter: Letter): void => {
    const headers = headersOf(letter);
    expect([...headers.keys()].sort()).toEqual(ORDINARY);
    for (const [name, lines] of headers) expect(lines, name).toHaveLength(1);
    expect(letter.to).toEqual([MAIL.to]);
    expect(letter.from).toContain('<shop@mail.example>');
    for (const line of letter.data.slice(0, letter.data.indexOf('\n\n')).split('\n'))
      expect(line).not.toMatch(/[\r\u0000\u2028]/);
  };

  test.each(LINES)('does not come from a subject with %j', async (line) => {
    hasOrdinaryHeaders(await sent({ subject: `Your order${line}` }));
  });

  test.each([...LINES, ...NAMES])('does not come from a store named %j', async (name) => {
    const letter = await sent({ sender: { name: `Shop${name}`, replyTo: MAIL.sender.replyTo } });
    hasOrdinaryHeaders(letter);
    expect(headersOf(letter).get('from')![0]).toMatch(/^From: .*<shop@mail\.example>$/);
  });

  test.each(LINES)('does not come from an address to reply to with %j', async (line) => {
    hasOrdinaryHeaders(await sent({ sender: { name: 'Shop', replyTo: `hello@lamps.example${line}` } }));
  });

  test.each(LINES)('does not come from a recipient with %j', async (line) => {
    await smtp.send({ ...MAIL, to: `ada@example.com${line}` });
    expect(office.offered).toBeLessThanOrEqual(1);
    for (const { data, to } of office.letters) expect([data.match(/^bcc:/im), to.length]).toEqual([null, 1]);
  });
});

test.each([
  ['münchen@bücher.example', 'münchen@bücher.example'],
  ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
  ['"a, b"@example.com', '"a, b"@example.com'],
])('reaches the one address %s', async (to, envelope) => {
  expect((await sent({ to })).to).toEqual([envelope]);
});

test('sends a line of a single full stop as it is', async () => {
  const { data } = await sent({ text: 'Before\n.\n..after\n' });
  expect(data).toContain('Before\n.\n..after');
});
