// Handlers of Key: the owner of a store lists, creates, restricts, rolls and revokes its keys.
import type { KeyRpcs } from '#proto/gen/key.ts';
import { foreignCursor, Refusal } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { type Keys, keyDocument } from './key.ts';
import { pageOfKeys } from './table/key.ts';

const LIMIT_DEFAULT = 20;

export const keyHandlers = ({ clock }: Pick<Runtime, 'clock'>, keys: Keys): Handlers<KeyRpcs> => ({
  ListKeys: query(async (sql, { tenant: { store } }, { limit = LIMIT_DEFAULT, cursor, environment }) => {
    const scope = JSON.stringify(['keys', store, environment ?? null]);
    const position = cursor === undefined ? null : decodeCursor(scope, cursor, ['time', 'id']);
    if (cursor !== undefined && position === null) return foreignCursor(cursor);
    const after = position && { createdAt: new Date(Number(position[0])), id: String(position[1]) };
    const page = await pageOfKeys(sql, store, { environment, after, limit: limit + 1 });
    const rows = page.slice(0, limit);
    const last = page.length > limit ? rows.at(-1)! : null;
    const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
    const now = new Date(clock.real());
    return {
      keys: rows.map((key) => keyDocument(key, now)),
      pagination: { limit, has_more: next !== null, next_cursor: next },
    };
  }),

  CreateKey: transaction((tx, { tenant }, input) => keys.create(tx, tenant.store, input)),

  UpdateKey: transaction((tx, { tenant }, input) => keys.update(tx, tenant.store, input)),

  RollKey: transaction((tx, { tenant }, { id, overlap_hours }) => keys.roll(tx, tenant.store, id, overlap_hours)),

  DeleteKey: transaction(async (tx, { tenant }, input) => {
    const id = await keys.revoke(tx, tenant.store, input.id);
    return id instanceof Refusal ? id : { deleted: true, id };
  }),
});
