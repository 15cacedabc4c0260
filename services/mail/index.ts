// The mail domain: sends mails to shoppers by SMTP, and lists the mails of sandboxes.
import type { MailRpcs } from '#proto/gen/mail.ts';
import { type Domain, type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { repeatedly } from '#runtime/flow/repetition.ts';
import type { MailSettings } from '#runtime/process/setting.ts';
import { type MailContent, mailContext } from '#services/commerce/mail.ts';
import { type SmtpServers, startSender } from './sender.ts';
import { openSmtp } from './smtp.ts';
import { deleteOldMail, newestMail } from './table/mail.ts';

const SHOWN_MAX = 100;

export const mailHandlers = ({ seal }: Pick<Runtime, 'seal'>): Handlers<MailRpcs> => ({
  ListMessages: query(async (sql, { tenant }, { email }) => {
    const rows = await newestMail(sql, tenant, email?.normalize('NFC') ?? null, SHOWN_MAX);
    return {
      messages: rows.map(({ id, kind, recipient, content, created_at }) => {
        const { subject, text, link, code } = JSON.parse(seal.open(content, mailContext(tenant, id))) as MailContent;
        return { id, to: recipient, kind, subject, text, link, code, created_at: created_at.toISOString() };
      }),
    };
  }),
});

const SWEEP_MS = 60_000;
const RETENTION_MS = 7 * 86_400_000;

/** Mails of sandboxes are sent only if an SMTP server is configured for sandboxes. */
const serversOf = ({ production, sandbox, from }: MailSettings): SmtpServers => ({
  ...(production ? { production: openSmtp(production, from) } : {}),
  ...(sandbox ? { sandbox: openSmtp(sandbox, from) } : {}),
});

export const mail = (runtime: Runtime): Domain => {
  const { postgres, clock, log } = runtime;
  const stops: (() => Promise<void> | void)[] = [];
  return {
    name: 'mail',
    services: { Mail: mailHandlers(runtime) },
    reset: { tables: { 'mail.message': 'cleared' } },
    start: async () => {
      const servers = serversOf(runtime.settings.mail);
      if (!servers.production) log.info('started without STOA_SMTP_URL: mail of production is not sent');
      stops.push(startSender(runtime, servers));
      stops.push(
        repeatedly({
          everyMs: SWEEP_MS,
          able: () => postgres.available,
          work: () => deleteOldMail(postgres.sql, new Date(clock.real() - RETENTION_MS)),
          failed: (problem) => log.warn({ err: problem }, 'failed to delete old mail'),
        }),
      );
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
};
