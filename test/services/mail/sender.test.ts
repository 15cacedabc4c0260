// Mail on its way out, over SMTP to a stand-in: sent once, again after a failure, given up when there is no use, and
// never from where no server is named.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Call, Environment, Tenant } from '#runtime/call/call.ts';
import type { Query } from '#runtime/domain/rpc.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { createLog, type Log } from '#runtime/process/log.ts';
import { type Mail, writeMail } from '#services/commerce/mail.ts';
import { mailHandlers } from '#services/mail/index.ts';
import { type SmtpServers, startSender } from '#services/mail/sender.ts';
import { openSmtp } from '#services/mail/smtp.ts';
import { deleteOldMail } from '#services/mail/table/mail.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase, testSeal } from '#test/support/server.ts';
import { openPostOffice, type PostOffice } from './post_office.ts';

const seal = testSeal();
let database: TestDatabase;
let postgres: Postgres;
let clock: ManualClock;
let office: PostOffice;
let tenant: Tenant;
let logged: string[];
let log: Log;
let stops: (() => Promise<void>)[];

beforeAll(async () => {
  database = await freshDatabase();
});
beforeEach(async () => {
  clock = manualClock(Date.now());
  postgres = openPostgres(database.url, { clock, seal });
  office = await openPostOffice();
  tenant = { store: randomUUID(), environment: 'production' };
  logged = [];
  log = createLog({ name: 'test', level: 'debug', write: (line) => void logged.push(line) });
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
  await postgres.sql`delete from mail.message`;
  await postgres.close();
  await office.close();
});
afterAll(() => database.drop());

const LETTER: Mail = {
  kind: 'magic_link',
  to: 'ada@example.com',
  subject: 'Sign in to Café',
  text: 'Open this link:\n\nhttps://shop.example/?token=ml_secret\n',
  link: 'https://shop.example/?token=ml_secret',
  code: null,
  sender: { name: 'Café "Nairobi", Ltd', replyTo: 'hello@shop.example' },
  usefulMs: 900_000,
  void: false,
};
const write = (mail: Partial<Mail> = {}, to = tenant): Promise<void> =>
  postgres.transaction((tx) => writeMail(tx, to, { ...LETTER, ...mail }));
const start = (environments: readonly Environment[] = ['production'], retryMs: readonly number[] = [0]): void => {
  const servers: SmtpServers = Object.fromEntries(
    environments.map((name) => [name, openSmtp(office.url, 'shop@mail.example')]),
  );
  stops.push(startSender({ postgres, clock, seal, log }, servers, retryMs));
};
const rows = () => postgres.sql<{ state: string; attempts: number; content: Buffer | null }[]>`
  select state, attempts, content from mail.message where store = ${tenant.store} order by sequence`;
const becomes = (state: string): Promise<void> =>
  eventually(async () => expect((await rows()).map((row) => row.state)).toEqual([state]));

test('sends a mail once, unchanged, and erases its text', async () => {
  await write();
  start();
  await becomes('sent');
  const [letter, ...others] = office.letters;
  expect(others).toEqual([]);
  expect([letter!.from, letter!.to]).toEqual([expect.stringContaining('<shop@mail.example>'), ['ada@example.com']]);
  const { data } = letter!;
  expect(data).toMatch(/^To: ada@example\.com$/m);
  expect(data).toMatch(/^Reply-To: .*<hello@shop\.example>$/m);
  expect(data).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(data.replace(/=\n/g, '').replaceAll('=3D', '=')).toContain('https://shop.example/?token=ml_secret');
  expect((await rows())[0]).toMatchObject({ attempts: 1, content: null });
});

test('sends each mail from one of two hosts only', async () => {
  for (let at = 0; at < 10; at++) await write({ to: `${at}@example.com` });
  start();
  start();
  await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(Array(10).fill('sent')));
  expect(office.letters.map(({ to }) => to[0]).sort()).toEqual(
    Array.from({ length: 10 }, (_, at) => `${at}@example.com`),
  );
});

test('retries a temporary failure and gives up after a permanent one', async () => {
  office.verdict = '451 not now';
  await write();
  start();
  await eventually(() => expect(office.offered).toBeGreaterThan(1));
  office.verdict = '250 fine';
  await becomes('sent');
  expect(office.letters).toHaveLength(1);
  office.verdict = '550 no such mailbox';
  await postgres.sql`delete from mail.message`;
  await write();
  await becomes('given_up');
  expect((await rows())[0]).toMatchObject({ attempts: 1, content: null });
});

test('pauses between attempts by the real clock', async () => {
  office.verdict = '451 not now';
  await write();
  start(['production'], [5_000, 60_000]);
  await eventually(async () => expect((await rows())[0]).toMatchObject({ state: 'waiting', attempts: 1 }));
  const dueInMs = async (): Promise<number> => {
    const [row] = await postgres.sql<{ due_at: Date }[]>`select due_at from mail.message`;
    return row!.due_at.getTime() - clock.real();
  };
  await eventually(async () => expect(await dueInMs()).toBe(5_000));
  clock.advance(5_000);
  // While an attempt is under way its row is due when its lease ends.
  await eventually(() => expect(office.offered).toBe(2));
  await eventually(async () => expect(await dueInMs()).toBe(60_000));
});

test('sends no expired mail', async () => {
  await write();
  clock.advance(LETTER.usefulMs);
  start();
  await becomes('given_up');
  expect(office.offered).toBe(0);
});

test('sends nothing from a sandbox or to an address without an account', async () => {
  const sandbox: Tenant = { ...tenant, environment: 'sandbox' };
  await write({}, sandbox);
  await write({ void: true });
  await write({ to: 'last@example.com' });
  start();
  await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(['waiting', 'void', 'sent']));
  expect(office.letters.map(({ to }) => to[0])).toEqual(['last@example.com']);
  const { run } = mailHandlers({ seal }).ListMessages as Query<object, { messages: unknown[] }>;
  const { messages } = (await run(postgres.sql, { tenant: sandbox } as Call, {})) as { messages: unknown[] };
  expect(messages).toHaveLength(1);
});

test('sends from a sandbox with a server, and keeps its mail readable', async () => {
  tenant = { ...tenant, environment: 'sandbox' };
  await write();
  start(['sandbox']);
  await becomes('sent');
  expect((await rows())[0]!.content).not.toBeNull();
});

test('logs neither secrets nor addresses', async () => {
  office.verdict = '550 no <ada@example.com>';
  await write();
  start();
  await becomes('given_up');
  expect(logged.join('')).toContain('gave up');
  for (const word of ['ml_secret', 'ada@example.com', 'Sign in']) expect(logged.join('')).not.toContain(word);
});

test.each(['http://mail.example', 'mail.example', 'smtp'])('"%s" is no mail server', (url) => {
  expect(() => openSmtp(url, null)).toThrow('STOA_SMTP_URL');
});

test('deletes old mail', async () => {
  await write();
  expect(await deleteOldMail(postgres.sql, new Date(clock.real() - 1))).toBe(0);
  expect(await deleteOldMail(postgres.sql, new Date(clock.real() + 1))).toBe(1);
  expect(await rows()).toEqual([]);
});
