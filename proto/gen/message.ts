// Generated from stoa/v1/message.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import type { Deleted, Pagination } from './shared.ts';

/** A conversation of one customer with the store. */
export type Thread = {
  id: string;
  subject: string;
  /** The order that it is about. */
  order_id: string | null;
  customer_id: string;
  status: "open" | "closed";
  /** Messages of the other side that the caller's side has not read. */
  unread_count: number;
  last_message_at: string;
};

/** A file that a message refers to; it is kept where its URL leads. */
export type Attachment = {
  url: string;
  name: string;
  content_type: string;
};

/** A file that a message refers to; it is kept where its URL leads. */
export type AttachmentInput = {
  url: string;
  name: string;
  content_type: string;
};

/** A message of one side. */
export type Message = {
  id: string;
  thread_id: string;
  sender: "customer" | "store";
  /** Null once it is deleted. */
  body: string | null;
  attachments: readonly Attachment[];
  /** When the other side read it; null before. */
  read_at: string | null;
  created_at: string;
  /** Present on deleted messages alone. */
  deleted?: boolean;
};

export type ListThreadsRequest = {
  status?: "open" | "closed";
  /** Threads of this customer; a shopper sees their own in any case. */
  customer_id?: string;
  /** Whether the caller's side has something to read in it. */
  unread?: boolean;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListThreadsResponse = {
  threads: readonly Thread[];
  pagination: Pagination;
};

export type CreateThreadRequest = {
  subject: string;
  body: string;
  /** An order of the same customer's. */
  order_id?: string | null;
  attachments?: readonly AttachmentInput[] | null;
  /** The customer that a store writes to. A shopper always writes in their own name. */
  customer_id?: string | null;
};

export type CreateThreadResponse = {
  thread: Thread;
  message: Message;
};

export type UpdateThreadRequest = {
  id: string;
  status: "open" | "closed";
};

export type ThreadResponse = {
  thread: Thread;
};

export type ListThreadMessagesRequest = {
  id: string;
  limit?: number;
  cursor?: string;
  fields?: string;
};

export type ListThreadMessagesResponse = {
  messages: readonly Message[];
  pagination: Pagination;
};

export type CreateMessageRequest = {
  /** The thread's. */
  id: string;
  body: string;
  attachments?: readonly AttachmentInput[] | null;
};

export type MessageResponse = {
  message: Message;
};

export type MarkThreadReadRequest = {
  id: string;
};

export type DeleteMessageRequest = {
  id: string;
};

/**
 * Conversations. A shopper sees their own threads and messages; a secret key without a session sees all, and writes and
 * reads as the store. Each side has its own count of unread messages.
 * @internal
 */
export interface MessagingRpcs {
  ListThreads: { request: ListThreadsRequest; response: ListThreadsResponse };
  CreateThread: { request: CreateThreadRequest; response: CreateThreadResponse };
  UpdateThread: { request: UpdateThreadRequest; response: ThreadResponse };
  ListThreadMessages: { request: ListThreadMessagesRequest; response: ListThreadMessagesResponse };
  CreateMessage: { request: CreateMessageRequest; response: MessageResponse };
  MarkThreadRead: { request: MarkThreadReadRequest; response: ThreadResponse };
  DeleteMessage: { request: DeleteMessageRequest; response: Deleted };
}
