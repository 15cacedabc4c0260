// Mail to staff goes to production; the sandbox's outbox shows it only on a machine of one's own without a mail server.
import { beforeAll, expect, test } from 'vitest';
import { mailInvitation, mailLink } from '#services/staff/mail.ts';
import { newEmail } from '#test/services/staff/client.ts';
import { type Keys, type Stoa, sharedStoa } from '#test/support/stoa.ts';

let stoa: Stoa;
let keys: Keys;
beforeAll(async () => {
  stoa = await sharedStoa();
  keys = await stoa.createStore();
});

const SMTP = 'smtp://mail.example.com';

test.each([
  ['http://127.0.0.1:8080', null, 'sandbox'],
  ['http://localhost:8080', null, 'sandbox'],
  ['http://[::1]:8080', null, 'sandbox'],
  ['http://127.0.0.1:8080', SMTP, 'production'],
  ['https://api.example.com', null, 'production'],
  ['http://127.0.0.1.example.com', null, 'production'],
  ['http://10.0.0.5:8080', null, 'production'],
])(
  'a system at %s with the mail server %s writes it for the environment %s',
  async (publicUrl, server, environment) => {
    const { postgres } = stoa.services.runtime;
    const settings = { publicUrl, mail: { production: server, sandbox: null, from: null } };
    const store = { id: keys.store_id, name: 'Acme', contact_email: null };
    const [invited, member] = [newEmail(), newEmail()];
    await postgres.transaction(async (tx) => {
      await mailInvitation(tx, settings, store, invited, 'analyst', 'si_1');
      await mailLink(tx, settings, store, member, 'sl_1');
    });
    const found = await postgres.sql`
    select environment, kind from mail.message where recipient in (${invited}, ${member}) order by kind`;
    expect(found.map((row) => [row.environment, row.kind])).toEqual([
      [environment, 'dashboard_invitation'],
      [environment, 'dashboard_link'],
    ]);
  },
);
