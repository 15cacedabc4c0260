// Writes conversations between the demo shop and its shoppers, each shopper with a session.
import type {
  CreateThreadRequest,
  CreateThreadResponse,
  ListThreadsResponse,
  Message,
  MessageResponse,
  ThreadResponse,
} from '#proto/gen/message.ts';
import type { Client } from './client.ts';
import { signInShopper } from './shopper.ts';
import { type DemoThread, THREADS } from './thread.ts';

const PAGE = 100;
const PATH = '/v1/messaging/threads';

type Thread = ListThreadsResponse['threads'][number];

/** Writes one thread after another, so that the thread that awaits the shop's reply is first in the list. */
export const seedConversations = async (store: Client): Promise<void> => {
  const existing = await store.all<Thread>(`${PATH}?`, 'threads', PAGE);
  for (const thread of THREADS) await seedThread(store, thread, existing);
};

const seedThread = async (store: Client, demo: DemoThread, existing: readonly Thread[]): Promise<void> => {
  const { shopper, subject, messages, settled } = demo;
  const { id: customer, api } = await signInShopper(store, shopper);
  const sides = { shopper: api, store };
  const found = existing.find((it) => it.customer_id === customer && it.subject === subject);
  const opening: CreateThreadRequest = { subject, body: messages[0]!.body };
  const { id } = found ?? (await api.post<CreateThreadResponse>(PATH, opening)).thread;
  const written = await store.all<Message>(`${PATH}/${id}/messages?`, 'messages', PAGE);
  const path = `${PATH}/${id}`;
  for (const { from, body } of messages.slice(written.length)) {
    await sides[from].repeat<ThreadResponse>(`${path}/read`);
    await sides[from].post<MessageResponse>(`${path}/messages`, { body });
  }
  if (!settled) return;
  await api.repeat<ThreadResponse>(`${path}/read`);
  await store.patch<ThreadResponse>(path, { status: 'closed' });
};
