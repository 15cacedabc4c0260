// The door of mail: what a sandbox would have mailed.
import type { MailRpcs } from '#proto/gen/mail.ts';
import { type Handlers, query } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { type MailContent, mailContext } from '#services/commerce/mail.ts';
import { newestMail } from './table/mail.ts';

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
