// The door of conversations: both sides come in by it, and each meets its own.
import { randomUUIDv7 } from 'bun';
import type { CreateThreadRequest, MessagingRpcs } from '#proto/gen/message.ts';
import { type Call, notFound, Refusal, refuse } from '#runtime/call/call.ts';
import type { DomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, query, staged, transaction } from '#runtime/domain/rpc.ts';
import { listMessages, listThreads, messageDocument, threadDocument } from './list.ts';
import { eraseMessage, findMessage, insertMessage, readMessages } from './table/message.ts';
import { extendThread, holdThread, insertThread, updateThread } from './table/thread.ts';
import { begun, sideOf, wasRead, withdrawn, written } from './thread.ts';

export interface MessageNeighbours {
  /** Why this customer cannot be written to; null where they can. */
  refuseCustomer(call: Call, customer: string): Promise<Refusal | null>;
  /** Why a thread of this customer's cannot be about that order; null where it can. Another's is as good as none. */
  refuseOrder(call: Call, order: string, customer: string): Promise<Refusal | null>;
}

export const openNeighbours = ({ ask }: DomainClient): MessageNeighbours => ({
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

export const messagingHandlers = (neighbours: MessageNeighbours): Handlers<MessagingRpcs> => ({
  ListThreads: query(listThreads),

  CreateThread: staged<CreateThreadRequest, unknown, { customer: string; order: string | null }>({
    // Others are asked before a connection is held.
    prepare: async (call, input) => {
      const customer = call.customer ?? input.customer_id?.toLowerCase();
      if (customer === undefined)
        return refuse('invalid_request', 'A store names the `customer_id` that it writes to.', {
          param: 'customer_id',
          hint: 'To write as a shopper, send one of x-auth-token, x-external-auth and x-idp-token.',
        });
      const order = input.order_id?.toLowerCase() ?? null;
      const refused =
        (call.customer === null ? await neighbours.refuseCustomer(call, customer) : null) ??
        (order === null ? null : await neighbours.refuseOrder(call, order, customer));
      return refused ?? { customer, order };
    },
    run: async ({ sql, clock }, call, input, { customer, order }) => {
      const { tenant } = call;
      const now = clock.now(tenant);
      const opening = { id: randomUUIDv7(), customer_id: customer, order_id: order, subject: input.subject };
      const words = { body: input.body, attachments: input.attachments ?? [] };
      const side = sideOf(call);
      const { thread, message } = written(begun(opening, now), side, randomUUIDv7(), words, now);
      await insertMessage(sql, tenant, message, await insertThread(sql, tenant, thread));
      return { thread: threadDocument(thread, side), message: messageDocument(message) };
    },
    undo: () => {},
  }) as Handlers<MessagingRpcs>['CreateThread'],

  UpdateThread: transaction(async ({ sql }, { tenant }, { id, status }) => {
    const thread = await holdThread(sql, tenant, null, id);
    if (thread === null) return notFound('thread');
    const changed = { ...thread, status };
    if (thread.status !== status) await updateThread(sql, tenant, changed);
    return { thread: threadDocument(changed, 'store') };
  }),

  ListThreadMessages: query(listMessages),

  CreateMessage: transaction(async ({ sql, clock }, call, input) => {
    const { tenant, customer } = call;
    const held = await holdThread(sql, tenant, customer, input.id);
    if (held === null) return notFound('thread');
    const words = { body: input.body, attachments: input.attachments ?? [] };
    const { thread, message } = written(held, sideOf(call), randomUUIDv7(), words, clock.now(tenant));
    await insertMessage(sql, tenant, message, await extendThread(sql, tenant, thread));
    return { message: messageDocument(message) };
  }),

  MarkThreadRead: transaction(async ({ sql, clock }, call, { id }) => {
    const { tenant, customer } = call;
    const side = sideOf(call);
    const held = await holdThread(sql, tenant, customer, id);
    if (held === null) return notFound('thread');
    const read = wasRead(held, side, clock.now(tenant));
    if (read === null) return { thread: threadDocument(held, side) };
    await Promise.all([readMessages(sql, tenant, held.id, side, read.at), updateThread(sql, tenant, read.thread)]);
    return { thread: threadDocument(read.thread, side) };
  }),

  // One's own alone: what the other side wrote is as little one's to delete as a stranger's.
  DeleteMessage: transaction(async ({ sql, clock }, call, { id }) => {
    const { tenant, customer } = call;
    const found = await findMessage(sql, tenant, id);
    const thread = found?.sender === sideOf(call) ? await holdThread(sql, tenant, customer, found.thread_id) : null;
    // Read anew under the thread's lock: the other side may have read it meanwhile, or another call deleted it.
    const message = thread && (await findMessage(sql, tenant, id));
    if (!thread || !message) return notFound('message');
    if (message.deleted_at === null)
      await Promise.all([
        eraseMessage(sql, tenant, message.id, clock.now(tenant)),
        updateThread(sql, tenant, withdrawn(thread, message)),
      ]);
    return { deleted: true, id: message.id };
  }),
});
