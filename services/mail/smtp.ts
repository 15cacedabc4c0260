// SMTP: one letter at a time out of the house, with a bound on every step.
import { createTransport } from 'nodemailer';
import type { MailContent } from '#services/commerce/mail.ts';

export interface Letter extends Pick<MailContent, 'subject' | 'text' | 'sender'> {
  readonly id: string;
  readonly to: string;
}

/** Why a letter was not taken: `final` where another attempt would be told the same. Never the letter's words. */
export class Undelivered {
  readonly isFinal: boolean;
  readonly reason: string;

  constructor(isFinal: boolean, reason: string) {
    this.isFinal = isFinal;
    this.reason = reason;
  }
}

export interface Smtp {
  /** Null: the server has taken it. */
  send(letter: Letter): Promise<Undelivered | null>;
  close(): void;
}

const STEP_TIMEOUT_MS = 10_000;
const CONNECTIONS_MAX = 2;
const REJECTED_MIN = 500;

/** `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. */
export const openSmtp = (url: string, from: string | null): Smtp => {
  const address = URL.parse(url);
  if (address === null || !/^smtps?:$/.test(address.protocol))
    throw new Error('STOA_SMTP_URL and STOA_SMTP_SANDBOX_URL are of the form smtp://user:password@host:port.');
  const sender = from || `no-reply@${address.hostname}`;
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: CONNECTIONS_MAX,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
  return {
    send: async ({ id, to, subject, text, sender: { name, replyTo } }) => {
      try {
        await transport.sendMail({
          messageId: `<${id}@${address.hostname}>`,
          from: { name, address: sender },
          // As an object it is one address, whatever it holds.
          to: { name: '', address: to },
          ...(replyTo ? { replyTo: { name, address: replyTo } } : {}),
          subject,
          text,
        });
        return null;
      } catch (problem) {
        const { code = 'unknown', responseCode = 0 } = problem as { code?: string; responseCode?: number };
        return new Undelivered(responseCode >= REJECTED_MIN && code !== 'EAUTH', `${code} ${responseCode}`);
      }
    },
    close: () => transport.close(),
  };
};
