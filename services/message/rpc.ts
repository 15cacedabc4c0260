// Handlers of Messaging: shoppers and stores write, read and delete messages in their threads.
import { randomUUIDv7 } from 'bun';
import type { CreateThreadRequest, MessagingRpcs } from '#proto/gen/message.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import { listMessages, listThreads, messageDocument, threadDocument } from './list.ts';
import { eraseMessage, findMessage, insertMessage, markMessagesRead } from './table/message.ts';
import { extendThread, insertThread, lockThread, updateThread } from './table/thread.ts';
import { addMessage, markRead, newThread, sideOf, withoutMessage } from './thread.ts';

export interface MessageClients {
  refuseCustomer(call: Call, customer: string): Promise<Refusal | null>;
  refuseOrder(call: Call, order: string, customer: string): Promise<Refusal | null>;
}

export const openMessageClients = ({ ask }: DomainClient): MessageClients => ({
  refuseCustomer: async (call, customer) => {
    const found = await ask('CustomerDirectory/FindCustomer', call, { customer_id: customer });
    return found instanceof Refusal ? found : null;
  },
  refuseOrder: async (call, order, customer) => {
    const found = await ask('Order/GetOrder', call, { id: order });
    if (found instanceof Refusal && found.code !== 'not_found') return found;
    return found instanceof Refusal || found.order.customer_id !== customer ? notFound('order', 'order_id') : null;
  },
});

export const messagingHandlers = (clients: MessageClients): Handlers<MessagingRpcs> => ({
  ListThreads: query(listThreads),

  CreateThread: staged<CreateThreadRequest, unknown, { customer: string; order: string | null }>({
    // Calls other domains before the transaction takes a database connection.
    prepare: async (call, input) => {
      const customer = call.customer ?? input.customer_id?.toLowerCase();
      if (customer === undefined)
        return refuse('invalid_request', 'customer_id is required when a store opens a thread.', {
          param: 'customer_id',
          hint: 'To write as a shopper, send one of x-auth-token, x-external-auth and x-idp-token.',
        });
      const order = input.order_id?.toLowerCase() ?? null;
      const refused =
        (call.customer === null ? await clients.refuseCustomer(call, customer) : null) ??
        (order === null ? null : await clients.refuseOrder(call, order, customer));
      return refused ?? { customer, order };
    },
    run: async ({ sql, clock }, call, input, { customer, order }) => {
      const { tenant } = call;
      const now = clock.now(tenant);
      const opening = { id: randomUUIDv7(), customer_id: customer, order_id: order, subject: input.subject };
      const content = { body: input.body, attachments: input.attachments ?? [] };
      const side = sideOf(call);
      const { thread, message } = addMessage(newThread(opening, now), side, randomUUIDv7(), content, now);
      await insertMessage(sql, tenant, message, await insertThread(sql, tenant, thread));
      return { thread: threadDocument(thread, side), message: messageDocument(message) };
    },
    undo: () => {},
  }) as Handlers<MessagingRpcs>['CreateThread'],

  UpdateThread: transaction(async ({ sql }, { tenant }, { id, status }) => {
    const thread = await lockThread(sql, tenant, null, id);
    if (thread === null) return notFound('thread');
    const changed = { ...thread, status };
    if (thread.status !== status) await updateThread(sql, tenant, changed);
    return { thread: threadDocument(changed, 'store') };
  }),

  ListThreadMessages: query(listMessages),

  CreateMessage: transaction(async ({ sql, clock }, call, input) => {
    const { tenant, customer } = call;
    const locked = await lockThread(sql, tenant, customer, input.id);
    if (locked === null) return notFound('thread');
    const content = { body: input.body, attachments: input.attachments ?? [] };
    const { thread, message } = addMessage(locked, sideOf(call), randomUUIDv7(), content, clock.now(tenant));
    await insertMessage(sql, tenant, message, await extendThread(sql, tenant, thread));
    return { message: messageDocument(message) };
  }),

  MarkThreadRead: transaction(async ({ sql, clock }, call, { id }) => {
    const { tenant, customer } = call;
    const side = sideOf(call);
    const locked = await lockThread(sql, tenant, customer, id);
    if (locked === null) return notFound('thread');
    const read = markRead(locked, side, clock.now(tenant));
    if (read === null) return { thread: threadDocument(locked, side) };
    await Promise.all([
      markMessagesRead(sql, tenant, locked.id, side, read.at),
      updateThread(sql, tenant, read.thread),
    ]);
    return { thread: threadDocument(read.thread, side) };
  }),

  // Only the sender's side may delete a message; the other gets `not_found`.
  DeleteMessage: transaction(async ({ sql, clock }, call, { id }) => {
    const { tenant, customer } = call;
    const found = await findMessage(sql, tenant, id);
    const thread = found?.sender === sideOf(call) ? await lockThread(sql, tenant, customer, found.thread_id) : null;
    // Reads the message again under the thread's lock: meanwhile it may have been read or deleted.
    const message = thread && (await findMessage(sql, tenant, id));
    if (!thread || !message) return notFound('message');
    if (message.deleted_at === null)
      await Promise.all([
        eraseMessage(sql, tenant, message.id, clock.now(tenant)),
        updateThread(sql, tenant, withoutMessage(thread, message)),
      ]);
    return { deleted: true, id: message.id };
  }),
});
