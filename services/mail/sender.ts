// Sends mails as jobs. Repeats failed ones after growing pauses until the mail expires.
import type { Environment } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type DeclaredJob, job } from '#runtime/job/queue.ts';
import type { MailRenderer } from './renderer.ts';
import { CONNECTIONS_MAX, type Smtp } from './smtp.ts';
import { type DueMail, finishMail, mailJobs } from './table/message.ts';

export type SmtpServers = Partial<Readonly<Record<Environment, Smtp>>>;

const LEASE_MS = 60_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
const ATTEMPTS_MAX = 12;

export const sendingJob = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  { render }: Pick<MailRenderer, 'render'>,
  servers: SmtpServers,
  retryMs: readonly number[] = RETRY_MS,
): DeclaredJob =>
  job<DueMail>({
    name: 'mail',
    rows: mailJobs((['production', 'sandbox'] as const).filter((environment) => servers[environment])),
    clock: 'real',
    leaseMs: LEASE_MS,
    atOnce: CONNECTIONS_MAX,
    perTenant: CONNECTIONS_MAX - 1,
    retryMs,
    run: async (mail) => {
      const { id, recipient: to, attempts, kind } = mail;
      const finish = async (state: Parameters<typeof finishMail>[2]): Promise<'ended'> => {
        await finishMail(postgres.sql, mail, state);
        return 'ended';
      };
      if (mail.suppressed) return finish('suppressed');
      if (mail.ends_at.getTime() <= clock.real()) return finish('given_up');
      const undelivered = await servers[mail.environment]!.send({ id, to, ...(await render(mail)) });
      if (undelivered === null) return finish('sent');
      const note = { mail: id, kind, store: mail.store, attempts, reason: undelivered.reason };
      if (undelivered.isFinal || attempts >= ATTEMPTS_MAX) {
        log.error(note, 'gave up sending a mail');
        return finish('given_up');
      }
      log.warn(note, 'failed to send a mail; will retry');
      return 'again';
    },
  });
