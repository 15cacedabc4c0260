// The door of cart drafts.
import { randomUUIDv7 } from 'bun';
import type {
  AgentRpcs,
  CartDraft,
  CartDraftResponse,
  CreateCartDraftRequest,
  GetCartDraftRequest,
  UpdateCartDraftRequest,
} from '#proto/gen/agent.ts';
import type { AgentSessionRpcs, BeginCartRequest } from '#proto/gen/agent_directory.ts';
import type { AgentName } from '#proto/gen/shared.ts';
import { notFound, Refusal } from '#runtime/call/call.ts';
import { type Handlers, query, staged } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { IntentAppraisal } from '#services/agent/appraisal.ts';
import { wholeBuyer } from '#services/agent/buyer.ts';
import { draftIsOver, type PricedDraft, pricedDraft, shownDraft } from '#services/agent/draft.ts';
import { changedMeanwhile } from '#services/agent/offer.ts';
import { findDraft, holdDraft, saveDraft } from '#services/agent/table/draft.ts';
import { mapStoredLineRefusal } from '#services/commerce/stored_line.ts';

/** A draft costs nothing and promises nothing: it is kept for a day. */
const DRAFT_MS = 24 * 3_600_000;

interface ChangedDraft extends PricedDraft {
  /** What it was changed from. */
  readonly from: string;
}

type Served = Pick<Runtime, 'clock' | 'postgres'>;

/** What is asked for, and the assistant that asks; null: no assistant. */
type Asked<I> = (input: I) => { readonly cart: CreateCartDraftRequest; readonly agent: AgentName | null };

const createDraft = <I>({ clock }: Served, appraisal: IntentAppraisal, asked: Asked<I>) =>
  staged<I, CartDraftResponse, PricedDraft>({
    prepare: (call, given) => {
      const { cart: input, agent } = asked(given);
      const now = clock.now(call.tenant);
      const draft = {
        id: randomUUIDv7(),
        items: input.items,
        email: input.email ?? null,
        shipping_address: input.shipping_address ?? null,
        promotion_codes: input.promotion_codes ?? [],
        converted: false,
        intent: null,
        cancelled: false,
        agent,
        buyer: wholeBuyer(input.buyer),
        offer: null,
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
  });

const updateDraft = ({ clock, postgres }: Served, appraisal: IntentAppraisal) =>
  staged<UpdateCartDraftRequest, CartDraftResponse, ChangedDraft>({
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
        buyer: input.buyer === undefined ? draft.buyer : wholeBuyer(input.buyer),
      };
      const made = await pricedDraft(appraisal, call, changed, now);
      const priced = input.items ? made : mapStoredLineRefusal(made, changed.items, 'cart_draft_id');
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
  });

export const draftHandlers = (
  served: Served,
  appraisal: IntentAppraisal,
): Pick<Handlers<AgentRpcs>, 'CreateCartDraft' | 'GetCartDraft' | 'UpdateCartDraft'> => {
  const { clock } = served;
  return {
    CreateCartDraft: createDraft<CreateCartDraftRequest>(served, appraisal, (cart) => ({ cart, agent: null })),

    GetCartDraft: query(async (sql, call, { id }) => {
      const draft = await findDraft(sql, call.tenant, id);
      if (draft === null) return notFound('cart draft');
      const shown = await shownDraft(appraisal, call, draft, clock.now(call.tenant));
      return shown instanceof Refusal ? shown : { data: shown };
    }),

    UpdateCartDraft: updateDraft(served, appraisal),
  };
};

export const cartHandlers = (
  served: Served,
  appraisal: IntentAppraisal,
): Pick<Handlers<AgentSessionRpcs>, 'BeginCart' | 'ChangeCart' | 'CancelCart'> => ({
  BeginCart: createDraft<BeginCartRequest>(served, appraisal, (input) => input),
  ChangeCart: updateDraft(served, appraisal),

  CancelCart: staged<GetCartDraftRequest, CartDraftResponse, CartDraft>({
    prepare: async (call, { id }) => {
      const draft = await findDraft(served.postgres.sql, call.tenant, id);
      if (draft === null) return notFound('cart draft');
      const now = served.clock.now(call.tenant);
      const over = draftIsOver(draft, now);
      return over ?? shownDraft(appraisal, call, { ...draft, cancelled: true }, now);
    },
    run: async (tx, { tenant }, { id }, shown) => {
      const draft = await holdDraft(tx.sql, tenant, id);
      if (draft === null) return notFound('cart draft');
      const over = draftIsOver(draft, served.clock.now(tenant));
      if (over) return over;
      await saveDraft(tx.sql, tenant, { ...draft, cancelled: true });
      return { data: shown };
    },
    undo: () => {},
  }),
});
