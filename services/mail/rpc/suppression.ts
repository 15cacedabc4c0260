// Handlers of MailSuppression and MailReader: addresses to which no mail is sent, and how they come to that.
import { randomBytes } from 'node:crypto';
import { randomUUIDv7 } from 'bun';
import type {
  MailReaderRpcs,
  MailSuppressionRpcs,
  ShowSubscriptionRequest,
  SubscriptionResponse,
  SuppressedAddress,
} from '#proto/gen/mail_suppression.ts';
import { type Call, foreignCursor, notFound, type Refusal, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, read, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { constantTimeEqual, sha256 } from '#runtime/process/seal.ts';
import {
  deleteSuppression,
  findBounceToken,
  insertSuppression,
  isUnsubscribed,
  pageOfSuppressions,
  type SuppressionReason,
  type SuppressionRecord,
  saveBounceAddress,
} from '#services/mail/table/suppression.ts';
import { readUnsubscribeToken } from '#services/mail/unsubscription.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';

const LIMIT_DEFAULT = 20;
const TOKEN_BYTES = 24;

const REASONS: Readonly<Record<string, SuppressionReason>> = { hard_bounce: 'hard_bounce', complaint: 'complaint' };

export const suppressionDocument = ({
  id,
  email,
  reason,
  details,
  created_at,
}: SuppressionRecord): SuppressedAddress => ({
  id,
  email,
  reason,
  details,
  created_at: created_at.toISOString(),
});

export const suppressionHandlers = ({ settings }: Pick<Runtime, 'settings'>): Handlers<MailSuppressionRpcs> => ({
  ListMailSuppressions: query(async (sql, { tenant }, { email, limit = LIMIT_DEFAULT, cursor }) => {
    const filter = email?.normalize('NFC') ?? null;
    const scope = JSON.stringify(['mail_suppressions', tenantKey(tenant), filter]);
    const keys = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && keys === null) return foreignCursor(cursor);
    const before = keys && { createdAt: new Date(Number(keys[0])), id: String(keys[1]) };
    const page = await pageOfSuppressions(sql, tenant, { email: filter, before, limit: limit + 1 });
    const shown = page.slice(0, limit);
    const last = page.length > limit ? shown.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    return {
      mail_suppressions: shown.map(suppressionDocument),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),

  DeleteMailSuppression: transaction(async ({ sql }, { tenant }, input) => {
    const id = input.id.toLowerCase();
    return (await deleteSuppression(sql, tenant, id)) ? { deleted: true, id } : notFound('suppressed address');
  }),

  CreateBounceAddress: transaction(async (tx, { tenant }) => {
    const token = `mb_${randomBytes(TOKEN_BYTES).toString('base64url')}`;
    await saveBounceAddress(tx.sql, tenant, sha256(token), tx.clock.now(tenant));
    return { url: `${settings.publicUrl}/v1/mail-bounces/${tenant.store}/${tenant.environment}/${token}` };
  }),

  ReportBounces: transaction(async (tx, _call, { store_id, environment, token, events }) => {
    const tenant: Tenant = { store: store_id.toLowerCase(), environment };
    const hash = await findBounceToken(tx.sql, tenant);
    if (hash === null || !constantTimeEqual(hash, sha256(token))) return notFound('address for bounces');
    const reported = events.flatMap(({ email, type, details = null }) => {
      const reason = REASONS[type];
      return reason ? [{ email: email.normalize('NFC'), reason, details }] : [];
    });
    const created_at = tx.clock.now(tenant);
    // Sorted, so that two reports of the same addresses lock them in the same order.
    for (const one of reported.toSorted((a, b) => (a.email < b.email ? -1 : 1)))
      await insertSuppression(tx.sql, tenant, { ...one, id: randomUUIDv7(), created_at });
    return { accepted: reported.length };
  }),
});

export const readerHandlers = ({ postgres, seal }: Pick<Runtime, 'postgres' | 'seal'>): Handlers<MailReaderRpcs> => {
  const UNKNOWN = notFound('subscription');
  return {
    ShowSubscription: read(
      async (_call: Call, { token }: ShowSubscriptionRequest): Promise<SubscriptionResponse | Refusal> => {
        const subscriber = readUnsubscribeToken({ seal }, token);
        if (subscriber === null) return UNKNOWN;
        const { store, email } = subscriber;
        return { store_id: store, email, unsubscribed: await isUnsubscribed(postgres.sql, subscriber, email) };
      },
    ),

    Unsubscribe: read(
      async (_call: Call, { token }: ShowSubscriptionRequest): Promise<SubscriptionResponse | Refusal> => {
        const subscriber = readUnsubscribeToken({ seal }, token);
        if (subscriber === null) return UNKNOWN;
        const { store, environment, email } = subscriber;
        const tenant = { store, environment };
        await postgres.transaction(async (tx) => {
          const created_at = tx.clock.now(tenant);
          const record = { id: randomUUIDv7(), email, reason: 'unsubscribed', details: null, created_at } as const;
          await insertSuppression(tx.sql, tenant, record);
        }, tenant);
        return { store_id: store, email, unsubscribed: true };
      },
    ),
  };
};
