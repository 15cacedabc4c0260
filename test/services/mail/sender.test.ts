// Mail on its way out, over SMTP to a stand-in: sent once, again after a failure, given up when there is no use, and
// never from where no server is named.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Call, Environment, Tenant } from '#runtime/call/call.ts';
import type { Query } from '#runtime/domain/rpc.ts';
import { openJobRunner } from '#runtime/job/runner.ts';
import type { Postgres } from '#runtime/postgres/database.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { createLog, type Log } from '#runtime/process/log.ts';
import { mailHandlers } from '#services/mail/index.ts';
import type { MailRenderer } from '#services/mail/renderer.ts';
import { type SmtpServers, sendingJob } from '#services/mail/sender.ts';
import { openSmtp } from '#services/mail/smtp.ts';
import { deleteOldMail } from '#services/mail/table/message.ts';
import { type Mail, writeMail } from '#services/mail/transaction.ts';
import { eventually, freshDatabase, openPostgres, type TestDatabase, testSeal } from '#test/support/server.ts';
import { openPostOffice, type PostOffice } from './post_office.ts';
import { rendererOfShop, SENDER } from './shop.ts';

const seal = testSeal();
let database: TestDatabase;
let postgres: Postgres;
let clock: ManualClock;
let office: PostOffice;
let tenant: Tenant;
let logged: string[];
let log: Log;
let renderer: MailRenderer;
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
  renderer = rendererOfShop({ postgres, seal, log });
  stops = [];
});
afterEach(async () => {
  for (const stop of stops) await stop();
  await postgres.sql`delete from mail.message`;
  await postgres.close();
  await office.close();
});
afterAll(() => database.drop());

const link = 'https://shop.example/?token=ml_secret';
const LETTER = {
  kind: 'magic_link',
  data: { link, lifetime_minutes: 15 },
  to: 'ada@example.com',
  cause: null,
  link,
  usefulMs: 900_000,
} as const satisfies Mail;
const write = (mail: { readonly to?: string; readonly void?: boolean; readonly cause?: string } = {}, to = tenant) =>
  postgres.transaction((tx) => writeMail(tx, to, { ...LETTER, ...mail }));
const start = (environments: readonly Environment[] = ['production'], retryMs: readonly number[] = [0]): void => {
  const servers: SmtpServers = Object.fromEntries(environments.map((name) => [name, openSmtp(office.url, SENDER)]));
  const jobs = openJobRunner({ postgres, clock, log });
  jobs.start([sendingJob({ postgres, clock, log }, renderer, servers, retryMs)]);
  stops.push(jobs.stop);
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

test('names the sender’s domain in the message id, and sends HTML beside text', async () => {
  await write();
  start();
  await becomes('sent');
  const { data } = office.letters[0]!;
  expect(data).toMatch(/^Message-ID: <[0-9a-f-]{36}@mail\.example>$/m);
  expect(data).toMatch(/^Date: /m);
  expect(data).toMatch(/^Content-Type: multipart\/alternative/m);
  expect(data).not.toContain('List-Unsubscribe');
});

test('writes one mail for one cause', async () => {
  await Promise.all(Array.from({ length: 8 }, () => write({ cause: 'order 1' })));
  await write({ cause: 'order 2' });
  expect(await rows()).toHaveLength(2);
});

describe('a sender that is killed', () => {
  const messageIds = () => office.letters.map(({ data }) => /^Message-ID: (.*)$/m.exec(data)![1]);
  const state = async () => (await rows())[0]!;
  let doomed: ChildProcess;

  const startDoomed = (): void => {
    const script = new URL('./doomed_sender.ts', import.meta.url).pathname;
    doomed = spawn(process.execPath, [script, database.url, office.url], { stdio: 'inherit' });
  };
  const kill = async (): Promise<void> => {
    const ended = once(doomed, 'exit');
    doomed.kill('SIGKILL');
    await ended;
  };
  afterEach(() => void doomed.kill('SIGKILL'));
  /** Starts another host after the lease of the killed one. */
  const takeOver = async (): Promise<void> => {
    expect(await state()).toMatchObject({ state: 'due', attempts: 1 });
    office.silent = false;
    office.acknowledgeable = async () => {};
    clock.advance(120_000);
    start();
    await becomes('sent');
  };

  test('before the server greets it has sent nothing, and the next host sends the mail', async () => {
    office.silent = true;
    await write({ cause: 'order 1' });
    startDoomed();
    await eventually(async () => expect(await state()).toMatchObject({ attempts: 1 }));
    await kill();
    await takeOver();
    expect(messageIds()).toHaveLength(1);
  });

  test('before the server’s answer, has the mail sent again under its message id', async () => {
    office.acknowledgeable = () => new Promise(() => {});
    await write({ cause: 'order 1' });
    startDoomed();
    await eventually(() => expect(office.letters).toHaveLength(1));
    await kill();
    await takeOver();
    const [first, ...others] = messageIds();
    expect(others).toEqual([first]);
  });

  test('between the server’s answer and its own note, has the mail sent again under its message id', async () => {
    await write({ cause: 'order 1' });
    const note = await postgres.session();
    let acknowledged = 0;
    office.acknowledgeable = async () => {
      // From here on the note waits for this lock.
      await note.sql`begin`;
      await note.sql`select from mail.message where store = ${tenant.store} for update`;
      acknowledged++;
    };
    startDoomed();
    await eventually(() => expect(acknowledged).toBe(1));
    await eventually(async () => {
      const waiting = await postgres.sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%mail.message%'`;
      expect(waiting.count).toBe(1);
    });
    await kill();
    // Postgres continues a waiting statement of a closed connection as soon as it has the lock.
    await postgres.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%mail.message%'`;
    await note.close();
    await takeOver();
    const [first, ...others] = messageIds();
    expect(others).toEqual([first]);
  });

  test('after its note, has sent the mail for good', async () => {
    await write({ cause: 'order 1' });
    startDoomed();
    await becomes('sent');
    await kill();
    clock.advance(120_000);
    await write({ to: 'next@example.com' });
    start();
    await eventually(async () => expect((await rows()).map((row) => row.state)).toEqual(['sent', 'sent']));
    expect(office.letters.map(({ to }) => to[0])).toEqual(['ada@example.com', 'next@example.com']);
  });
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

test('leaves no mail waiting until its lease ends while the server is slow', async () => {
  const unanswered: (() => void)[] = [];
  office.acknowledgeable = () => new Promise((answer) => void unanswered.push(answer));
  const recipients = Array.from({ length: 12 }, (_, at) => `${at}@example.com`);
  for (const to of recipients) await write({ to });
  start();
  const claimed = async () => (await rows()).filter(({ state, attempts }) => state === 'due' && attempts > 0).length;
  await eventually(async () => expect([await claimed(), unanswered.length]).toEqual([4, 4]));
  clock.advance(59_000);
  office.acknowledgeable = async () => {};
  for (const answer of unanswered) answer();
  await eventually(async () =>
    expect((await rows()).filter(({ state }) => state === 'sent').length).toBeGreaterThan(4),
  );
  clock.advance(2_000);
  start();
  await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(Array(12).fill('sent')));
  expect(office.letters.map(({ to }) => to[0]).sort()).toEqual(recipients.sort());
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
  await eventually(async () => expect((await rows())[0]).toMatchObject({ state: 'due', attempts: 1 }));
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
  await eventually(async () => expect((await rows()).map(({ state }) => state)).toEqual(['due', 'void', 'sent']));
  expect(office.letters.map(({ to }) => to[0])).toEqual(['last@example.com']);
  const { run } = mailHandlers(renderer).ListMessages as Query<object, { messages: unknown[] }>;
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
  expect(await deleteOldMail(postgres.sql, new Date(clock.real() - 1), 10, null)).toBe(0);
  expect(await deleteOldMail(postgres.sql, new Date(clock.real() + 1), 10, null)).toBe(1);
  expect(await rows()).toEqual([]);
});
