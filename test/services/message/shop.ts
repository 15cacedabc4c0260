// A shop for tests of conversations: a whole Stoa with two stores, shoppers of theirs, and both sides' calls.
import { expect } from 'vitest';
import type { Message, Thread } from '#proto/gen/message.ts';
import { type ManualClock, manualClock } from '#runtime/process/clock.ts';
import { allowLocalVerifier, openShopperSessions, type Shopper, type ShopperSessions } from '#test/support/session.ts';
import { type Keys, type Reply, type Stoa, startStoa } from '#test/support/stoa.ts';

export let clock: ManualClock;
export let stoa: Stoa;
export let keys: Keys;
export let other: Keys;
export let doorkeeper: ShopperSessions;

const DAY_MS = 86_400_000;
/** An id that no record has. */
export const NO_ID = '00000000-0000-7000-8000-000000000000';

/** A frozen clock one day ahead, so that rate limits, which use real time, are never met. */
export const openShop = async (): Promise<void> => {
  allowLocalVerifier();
  clock = manualClock(Date.now() + DAY_MS);
  stoa = await startStoa({ clock });
  keys = await stoa.createStore();
  other = await stoa.createStore();
  doorkeeper = await openShopperSessions(stoa);
};

export const closeShop = async (): Promise<void> => {
  doorkeeper?.stop();
  await stoa?.stop();
};

/** One side's calls of the sandbox. */
export type Caller = (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Reply>;

const caller =
  (key: string, session: Readonly<Record<string, string>>): Caller =>
  (method, path, body, headers = {}) =>
    stoa.send(method, path, {
      key,
      headers: { ...session, ...headers },
      ...(body === undefined ? {} : { body }),
    });

/** The store, by its secret key and no session. */
export const asStore = (of: Keys = keys): Caller => caller(of.secret_test_key, {});

/** A shopper in their browser. */
export const as = ({ headers }: Shopper, of: Keys = keys): Caller => caller(of.publishable_test_key, headers);

export const newShopper = (of: Keys = keys): Promise<Shopper> => doorkeeper.signIn(of);

export const errorOf = ({ status, body }: Reply) => [status, body.error?.code, body.error?.param];

/** The body of an answer that must be one. */
export const made = async (reply: Promise<Reply>): Promise<Reply['body']> => {
  const { status, body, text } = await reply;
  expect(status, text).toBeLessThan(300);
  return body;
};

/** A thread that this side begins, with its first message; a store says with whom. */
export const begin = (
  call: Caller,
  given: Readonly<Record<string, unknown>> = {},
): Promise<{ thread: Thread; message: Message }> =>
  made(
    call('POST', '/v1/messaging/threads', {
      subject: 'Where is my parcel?',
      body: 'It was to come on Monday.',
      ...given,
    }),
  );

export const write = async (call: Caller, thread: string, body = 'Any news?'): Promise<Message> =>
  (await made(call('POST', `/v1/messaging/threads/${thread}/messages`, { body }))).message;

export const read = async (call: Caller, thread: string): Promise<Thread> =>
  (await made(call('POST', `/v1/messaging/threads/${thread}/read`))).thread;

/** The thread as this side's list shows it. */
export const shown = async (call: Caller, thread: string): Promise<Thread> => {
  const { threads } = await made(call('GET', '/v1/messaging/threads?limit=100'));
  return threads.find(({ id }: Thread) => id === thread);
};

export const messagesOf = async (call: Caller, thread: string): Promise<readonly Message[]> =>
  (await made(call('GET', `/v1/messaging/threads/${thread}/messages?limit=100`))).messages;
