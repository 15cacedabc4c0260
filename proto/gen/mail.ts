// Generated from stoa/v1/mail.proto by proto/generate: change the proto file and run `bun proto/generate/main.ts`.

export type ListMessagesRequest = {
  /** Only mail to this address, in any letter case. */
  email?: string;
  /** Comma-separated names of a message's fields to return. */
  fields?: string;
};

export type SentMessage = {
  id: string;
  to: string;
  kind: "reset_password" | "magic_link" | "otp" | "return_received" | "return_decided" | "credit_offered" | "order_placed" | "dashboard_invitation" | "dashboard_link";
  subject: string;
  text: string;
  /** Carries its secret in the query parameter `token`; null where there is none. */
  link: string | null;
  /** A one-time code; null where there is none. */
  code: string | null;
  created_at: string;
};

export type ListMessagesResponse = {
  messages: readonly SentMessage[];
};

/**
 * Mails of a sandbox, recorded instead of sent.
 * @internal
 */
export interface MailRpcs {
  ListMessages: { request: ListMessagesRequest; response: ListMessagesResponse };
}
