// Sends one mail at a time by SMTP, with a time-out for every step.
import { createTransport } from 'nodemailer';
import type { RenderedMail } from './renderer.ts';

export interface OutgoingMail extends Pick<RenderedMail, 'subject' | 'text' | 'html' | 'sender' | 'unsubscribeUrl'> {
  readonly id: string;
  readonly to: string;
}

/** Why the server refused a mail. `isFinal` says that a retry would be refused too. `reason` never quotes the mail. */
export class DeliveryFailure {
  readonly isFinal: boolean;
  readonly reason: string;

  constructor(isFinal: boolean, reason: string) {
    this.isFinal = isFinal;
    this.reason = reason;
  }
}

export interface Smtp {
  send(letter: OutgoingMail): Promise<DeliveryFailure | null>; // null: accepted by the server
  close(): void;
}

const STEP_TIMEOUT_MS = 10_000;
/** Mails that one host sends at a time. */
export const CONNECTIONS_MAX = 5;
const REJECTED_MIN = 500;

/** Header of RFC 3834, to which no absence note answers. */
const AUTOMATIC = { 'Auto-Submitted': 'auto-generated' };

/** Headers of RFC 2369 and RFC 8058, by which mail programs offer to unsubscribe in one step. */
const unsubscribeHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

export const openSmtp = (url: string, from: string | null): Smtp => {
  const address = URL.parse(url);
  if (address === null || !/^smtps?:$/.test(address.protocol))
    throw new Error(
      'STOA_SMTP_URL and STOA_SMTP_SANDBOX_URL have the form smtp://user:password@host:port, or smtps:// for TLS.',
    );
  const sender = from || `no-reply@${address.hostname}`;
  const domain = sender.slice(sender.lastIndexOf('@') + 1);
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
    send: async ({ id, to, subject, text, html, sender: { name, replyTo }, unsubscribeUrl }) => {
      try {
        await transport.sendMail({
          // The same at every attempt, so that mailboxes recognise a mail that was sent twice.
          messageId: `<${id}@${domain}>`,
          from: { name, address: sender },
          // Passed as an object, because a string with a comma would be parsed as several addresses.
          to: { name: '', address: to },
          ...(replyTo ? { replyTo: { name, address: replyTo } } : {}),
          subject,
          text,
          html,
          headers: { ...AUTOMATIC, ...(unsubscribeUrl !== null && unsubscribeHeaders(unsubscribeUrl)) },
        });
        return null;
      } catch (problem) {
        const { code = 'unknown', responseCode = 0 } = problem as { code?: string; responseCode?: number };
        return new DeliveryFailure(responseCode >= REJECTED_MIN && code !== 'EAUTH', `${code} ${responseCode}`);
      }
    },
    close: () => transport.close(),
  };
};
