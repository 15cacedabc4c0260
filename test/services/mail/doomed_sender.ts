// A process that sends the mails of a database, to be killed.
import { openJobRunner } from '#runtime/job/runner.ts';
import { systemClock } from '#runtime/process/clock.ts';
import { sendingJob } from '#services/mail/sender.ts';
import { openSmtp } from '#services/mail/smtp.ts';
import { openPostgres, testLog, testSeal } from '#test/support/server.ts';
import { rendererOfShop, SENDER } from './shop.ts';

const [, , databaseUrl = '', smtpUrl = ''] = process.argv;
const clock = systemClock();
const log = testLog();
const seal = testSeal();
const postgres = openPostgres(databaseUrl, { clock, seal });
const production = openSmtp(smtpUrl, SENDER);
const kind = sendingJob({ postgres, clock, log }, rendererOfShop({ postgres, seal, log }), { production });
openJobRunner({ postgres, clock, log }).start([kind]);
// The sender holds no timer that keeps a process running.
setInterval(() => {}, 60_000);
