// Generated from stoa/v1/message.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.
import { type TSchema, Type } from '@sinclair/typebox';
import { Text } from '#proto/format.ts';
import { Pagination } from './shared.schema.ts';

export const Thread: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  subject: Type.String(),
  order_id: Type.Union([Text({ format: "uuid" }), Type.Null()]),
  customer_id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("open"), Type.Literal("closed")]),
  unread_count: Type.Integer({ minimum: -2147483648, maximum: 2147483647 }),
  last_message_at: Text({ format: "date-time" }),
});

export const Attachment: TSchema = Type.Object({
  url: Text({ maxLength: 2048, format: "http-url" }),
  name: Text({ minLength: 1, maxLength: 255 }),
  content_type: Text({ minLength: 1, maxLength: 100 }),
});

export const AttachmentInput: TSchema = Type.Object({
  url: Text({ maxLength: 2048, format: "http-url" }),
  name: Text({ minLength: 1, maxLength: 255 }),
  content_type: Text({ minLength: 1, maxLength: 100 }),
});

export const Message: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  thread_id: Text({ format: "uuid" }),
  sender: Type.Union([Type.Literal("customer"), Type.Literal("store")]),
  body: Type.Union([Type.String(), Type.Null()]),
  attachments: Type.Array(Attachment),
  read_at: Type.Union([Text({ format: "date-time" }), Type.Null()]),
  created_at: Text({ format: "date-time" }),
  deleted: Type.Optional(Type.Boolean()),
});

export const ListThreadsRequest: TSchema = Type.Object({
  status: Type.Optional(Type.Union([Type.Literal("open"), Type.Literal("closed")])),
  customer_id: Type.Optional(Text({ format: "uuid" })),
  unread: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListThreadsResponse: TSchema = Type.Object({
  threads: Type.Array(Thread),
  pagination: Pagination,
});

export const CreateThreadRequest: TSchema = Type.Object({
  subject: Text({ minLength: 1, maxLength: 200, format: "words" }),
  body: Text({ minLength: 1, maxLength: 5000, format: "words" }),
  order_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
  attachments: Type.Optional(Type.Union([Type.Array(AttachmentInput, { maxItems: 10 }), Type.Null()])),
  customer_id: Type.Optional(Type.Union([Text({ format: "uuid" }), Type.Null()])),
});

export const CreateThreadResponse: TSchema = Type.Object({
  thread: Thread,
  message: Message,
});

export const UpdateThreadRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  status: Type.Union([Type.Literal("open"), Type.Literal("closed")]),
});

export const ThreadResponse: TSchema = Type.Object({
  thread: Thread,
});

export const ListThreadMessagesRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  cursor: Type.Optional(Type.String()),
  fields: Type.Optional(Type.String()),
});

export const ListThreadMessagesResponse: TSchema = Type.Object({
  messages: Type.Array(Message),
  pagination: Pagination,
});

export const CreateMessageRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
  body: Text({ minLength: 1, maxLength: 5000, format: "words" }),
  attachments: Type.Optional(Type.Union([Type.Array(AttachmentInput, { maxItems: 10 }), Type.Null()])),
});

export const MessageResponse: TSchema = Type.Object({
  message: Message,
});

export const MarkThreadReadRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});

export const DeleteMessageRequest: TSchema = Type.Object({
  id: Text({ format: "uuid" }),
});
