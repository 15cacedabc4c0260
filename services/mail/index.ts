// The mail domain: renders mails with each store's templates, sends them by SMTP, and lists those of sandboxes.
import type { MailRpcs } from '#proto/gen/mail.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Domain, type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { RetentionRule } from '#runtime/flow/retention.ts';
import type { Inbox } from '#runtime/postgres/inbox.ts';
import type { MailSettings } from '#runtime/process/setting.ts';
import { openStoreProfiles } from '#services/commerce/store_profile.ts';
import { startReactor } from './reactor.ts';
import { type MailProfile, type MailRenderer, openRenderer } from './renderer.ts';
import { stockAlertHandlers } from './rpc/stock_alert.ts';
import { readerHandlers, suppressionHandlers } from './rpc/suppression.ts';
import { templateHandlers } from './rpc/template.ts';
import { type SmtpServers, sendingJob } from './sender.ts';
import { openSmtp } from './smtp.ts';
import { openStockWatch } from './stock_watch.ts';
import { mailErasures } from './table/erasure.ts';
import { deleteOldMail, type MailRow, newestMail } from './table/message.ts';
import { forgetStockAlerts } from './table/stock_alert.ts';
import { mailContext } from './transaction.ts';

const SHOWN_MAX = 100;

export const mailHandlers = ({ render }: Pick<MailRenderer, 'render'>): Handlers<MailRpcs> => {
  const shown = async (row: MailRow) => {
    const { subject, text, html, link, code, unsubscribeUrl } = await render(row);
    const { id, kind, recipient: to, created_at } = row;
    const unsubscribe_url = unsubscribeUrl;
    return { id, to, kind, subject, text, html, link, code, unsubscribe_url, created_at: created_at.toISOString() };
  };
  return {
    ListMessages: query(async (sql, { tenant }, { email }) => {
      const rows = await newestMail(sql, tenant, email?.normalize('NFC') ?? null, SHOWN_MAX);
      return { messages: await Promise.all(rows.map(shown)) };
    }),
  };
};

const RETENTION: readonly RetentionRule[] = [
  { what: 'alerts for stock that never came back', days: 400, forget: forgetStockAlerts },
  { what: 'mails', days: 7, setting: 'mails_days', forget: deleteOldMail },
];

/** Mails of sandboxes are sent only if an SMTP server is configured for sandboxes. */
const serversOf = ({ production, sandbox, from }: MailSettings): SmtpServers => ({
  ...(production ? { production: openSmtp(production, from) } : {}),
  ...(sandbox ? { sandbox: openSmtp(sandbox, from) } : {}),
});

export const mail = (runtime: Runtime): Domain => {
  const { log } = runtime;
  const profiles = openStoreProfiles<MailProfile>(runtime, (profile) => profile);
  const renderer = openRenderer({ ...runtime, profiles });
  const domainClient = openDomainClient(runtime);
  const stock = openStockWatch(runtime, domainClient);
  const servers = serversOf(runtime.settings.mail);
  const stops: (() => Promise<void> | void)[] = [];
  return {
    name: 'mail',
    jobs: Object.keys(servers).length > 0 ? [sendingJob(runtime, renderer, servers)] : [],
    services: {
      Mail: mailHandlers(renderer),
      MailTemplate: templateHandlers(runtime, renderer, domainClient),
      MailSuppression: suppressionHandlers(runtime),
      MailReader: readerHandlers(runtime),
      StockAlert: stockAlertHandlers(stock),
    },
    sealedColumns: [{ table: 'mail.message', column: 'content', id: 'id', context: mailContext }],
    erasures: mailErasures,
    personalRecords: ['mail_suppression'],
    retention: RETENTION,
    reset: {
      tables: {
        'mail.message': 'cleared',
        'mail.template': 'copied',
        'mail.setting': 'copied',
        'mail.suppression': 'cleared',
        'mail.bounce_address': 'cleared',
        'mail.stock_alert': 'cleared',
      },
    },
    onNotice: {
      store: ({ tenant }) => profiles.forget(tenant.store),
      catalog: ({ tenant, ids }) => stock.note(tenant, ids),
    },
    start: async () => {
      if (!servers.production) log.info('started without STOA_SMTP_URL: mail of production is not sent');
      const inbox: Inbox = startReactor(runtime);
      stops.push(() => inbox.stop(), stock.start());
    },
    stop: async () => {
      await Promise.all(stops.map((stop) => stop()));
      for (const server of Object.values(servers)) server.close();
    },
  };
};
