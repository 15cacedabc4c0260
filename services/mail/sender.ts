// Sends due mails in batches. Retries failed ones at growing intervals until the mail expires.
import type { Environment } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { MailRenderer } from './renderer.ts';
import { CONNECTIONS_MAX, type Smtp } from './smtp.ts';
import { claimDueMail, type DueMail, finishMail, postponeMail } from './table/message.ts';

export type SmtpServers = Partial<Readonly<Record<Environment, Smtp>>>;

const POLL_MS = 1_000;
/** A mail that waited for a connection could be sent after its lease, when another host sends it too. */
const BATCH_MAX = CONNECTIONS_MAX;
/** Longer than a send whose every step takes its full time-out. */
const LEASE_MS = 60_000;
const RETRY_MS = [5_000, 30_000, 120_000, 600_000, 1_800_000] as const;
const ATTEMPTS_MAX = 12;

export const startSender = (
  { postgres, clock, log }: Pick<Runtime, 'postgres' | 'clock' | 'log'>,
  { render }: Pick<MailRenderer, 'render'>,
  servers: SmtpServers,
  retryMs: readonly number[] = RETRY_MS,
): (() => Promise<void>) => {
  const environments = (['production', 'sandbox'] as const).filter((environment) => servers[environment]);
  if (environments.length === 0) return async () => {};
  let stopped = false;
  let wait: { readonly timer: ReturnType<typeof setTimeout>; readonly end: () => void } | null = null;

  const send = async (mail: DueMail): Promise<void> => {
    const { id, recipient: to, attempts, kind } = mail;
    const undelivered = await servers[mail.environment]!.send({ id, to, ...(await render(mail)) });
    if (undelivered === null) return finishMail(postgres.sql, mail, 'sent');
    const note = { mail: id, kind, store: mail.store, attempts, reason: undelivered.reason };
    if (undelivered.isFinal || attempts >= ATTEMPTS_MAX) {
      log.error(note, 'gave up sending a mail');
      return finishMail(postgres.sql, mail, 'given_up');
    }
    log.warn(note, 'failed to send a mail; will retry');
    const pauseMs = retryMs[Math.min(attempts, retryMs.length) - 1] ?? LEASE_MS;
    await postponeMail(postgres.sql, mail, new Date(clock.real() + pauseMs));
  };

  const sendBatch = async (): Promise<boolean> => {
    const due = await postgres.transaction((tx) =>
      claimDueMail(tx.sql, environments, new Date(clock.real()), LEASE_MS, BATCH_MAX),
    );
    const outcomes = await Promise.allSettled(due.map(send));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') log.warn({ err: outcome.reason }, 'failed to send a mail; will retry');
    return due.length === BATCH_MAX;
  };

  const running = (async () => {
    while (!stopped) {
      const more = await sendBatch().catch((problem: unknown) => {
        log.debug({ err: problem }, 'failed to claim due mail; will retry');
        return false;
      });
      if (more || stopped) continue;
      await new Promise<void>((end) => {
        wait = { timer: setTimeout(end, POLL_MS), end };
      });
    }
  })();

  return async () => {
    stopped = true;
    if (wait) {
      clearTimeout(wait.timer);
      wait.end();
    }
    await running;
    for (const server of Object.values(servers)) server.close();
  };
};
