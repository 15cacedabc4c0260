// The door of cart drafts.
import { randomUUIDv7 } from 'bun';
import type { AgentRpcs, CreateCartDraftRequest, UpdateCartDraftRequest } from '#proto/gen/agent.ts';
import { notFound, Refusal } from '#runtime/call.ts';
import type { Foundation } from '#runtime/foundation.ts';
import { type Handlers, query, staged } from '#runtime/rpc.ts';
import type { Appraisal } from '#services/agent/appraisal.ts';
import { draftIsOver, type PricedDraft, pricedDraft, shownDraft } from '#services/agent/draft.ts';
import { changedMeanwhile } from '#services/agent/offer.ts';
import { findDraft, holdDraft, saveDraft } from '#services/agent/table/draft.ts';

/** A draft costs nothing and promises nothing: it is kept for a day. */
const DRAFT_MS = 24 * 3_600_000;

interface ChangedDraft extends PricedDraft {
  /** What it was changed from. */
  readonly from: string;
}

export const draftHandlers = (
  { clock, postgres }: Pick<Foundation, 'clock' | 'postgres'>,
  appraisal: Appraisal,
): Pick<Handlers<AgentRpcs>, 'CreateCartDraft' | 'GetCartDraft' | 'UpdateCartDraft'> => ({
  CreateCartDraft: staged<CreateCartDraftRequest, unknown, PricedDraft>({
    prepare: (call, input) => {
      const now = clock.now(call.tenant);
      const draft = {
        id: randomUUIDv7(),
        items: input.items,
        email: input.email ?? null,
        shipping_address: input.shipping_address ?? null,
        promotion_codes: input.promotion_codes ?? [],
        converted: false,
        expires_at: new Date(now.getTime() + DRAFT_MS),
        created_at: now,
      };
      return pricedDraft(appraisal, call, draft, now);
    },
    run: async (tx, { tenant }, _input, { draft, shown }) => {
      await saveDraft(tx.sql, tenant, draft);
      return { data: shown };
    },
    undo: () => {},
  }) as Handlers<AgentRpcs>['CreateCartDraft'],

  GetCartDraft: query(async (sql, call, { id }) => {
    const draft = await findDraft(sql, call.tenant, id);
    if (draft === null) return notFound('cart draft');
    const shown = await shownDraft(appraisal, call, draft, clock.now(call.tenant));
    return shown instanceof Refusal ? shown : { data: shown };
  }),

  UpdateCartDraft: staged<UpdateCartDraftRequest, unknown, ChangedDraft>({
    prepare: async (call, input) => {
      const draft = await findDraft(postgres.sql, call.tenant, input.id);
      if (draft === null) return notFound('cart draft');
      const now = clock.now(call.tenant);
      const over = draftIsOver(draft, now);
      if (over) return over;
      const changed = {
        ...draft,
        items: input.items ?? draft.items,
        email: input.email === undefined ? draft.email : input.email,
        shipping_address: input.shipping_address === undefined ? draft.shipping_address : input.shipping_address,
        promotion_codes: input.promotion_codes ?? draft.promotion_codes,
      };
      const priced = await pricedDraft(appraisal, call, changed, now);
      return priced instanceof Refusal ? priced : { ...priced, from: JSON.stringify(draft) };
    },
    run: async (tx, { tenant }, { id }, { draft, shown, from }) => {
      const before = await holdDraft(tx.sql, tenant, id);
      const over = before && draftIsOver(before, clock.now(tenant));
      if (over) return over;
      if (JSON.stringify(before) !== from) return changedMeanwhile('cart draft');
      await saveDraft(tx.sql, tenant, draft);
      return { data: shown };
    },
    undo: () => {},
  }) as Handlers<AgentRpcs>['UpdateCartDraft'],
});
