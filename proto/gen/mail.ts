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
  kind: "order_placed" | "order_paid" | "order_shipped" | "order_delivered" | "order_cancelled" | "order_refunded" | "payment_failed" | "gift_card" | "return_received" | "return_decided" | "return_arrived" | "credit_offered" | "dispute_opened" | "dispute_changed" | "back_in_stock" | "abandoned_cart" | "magic_link" | "reset_password" | "otp" | "dashboard_invitation" | "dashboard_link";
  subject: string;
  text: string;
  /** Carries its secret in the query parameter `token`; null where there is none. */
  link: string | null;
  /** A one-time code; null where there is none. */
  code: string | null;
  created_at: string;
  html: string;
  /** Address that unsubscribes the reader; null unless the mail is marketing. */
  unsubscribe_url: string | null;
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
