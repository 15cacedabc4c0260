// A process that sends the mails of a database, to be killed.
import { systemClock } from '#runtime/process/clock.ts';
import { startSender } from '#services/mail/sender.ts';
import { openSmtp } from '#services/mail/smtp.ts';
import { openPostgres, testLog, testSeal } from '#test/support/server.ts';
import { rendererOfShop, SENDER } from './shop.ts';

const [, , databaseUrl = '', smtpUrl = ''] = process.argv;
const clock = systemClock();
const log = testLog();
const seal = testSeal();
const postgres = openPostgres(databaseUrl, { clock, seal });
startSender({ postgres, clock, log }, rendererOfShop({ postgres, seal, log }), {
  production: openSmtp(smtpUrl, SENDER),
});
