// The rpc handlers of cart drafts.
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
import { closedDraftRefusal, type PricedDraft, pricedDraft, shownDraft, wholeBuyer } from '#services/agent/draft.ts';
import { changedMeanwhile } from '#services/agent/offer.ts';
import { findDraft, holdDraft, saveDraft } from '#services/agent/table/draft.ts';
import { mapStoredLineRefusal } from '#services/commerce/shared_refusal.ts';

const DRAFT_MS = 24 * 3_600_000;

interface ChangedDraft extends PricedDraft {
  /** The stored draft as text, to detect concurrent changes. */
  readonly from: string;
}

type DraftRuntime = Pick<Runtime, 'clock' | 'postgres'>;

type ReadInput<I> = (input: I) => { readonly cart: CreateCartDraftRequest; readonly agent: AgentName | null };

const createDraft = <I>({ clock }: DraftRuntime, appraisal: IntentAppraisal, readInput: ReadInput<I>) =>
  staged<I, CartDraftResponse, PricedDraft>({
    prepare: (call, given) => {
      const { cart: input, agent } = readInput(given);
      const now = clock.now(call.tenant);
      const draft = {
        id: randomUUIDv7(),
        items: input.items,
        email: input.email ?? null,
        shipping_address: input.shipping_address ?? null,
        billing_address: input.billing_address ?? null,
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

const updateDraft = ({ clock, postgres }: DraftRuntime, appraisal: IntentAppraisal) =>
  staged<UpdateCartDraftRequest, CartDraftResponse, ChangedDraft>({
    prepare: async (call, input) => {
      const draft = await findDraft(postgres.sql, call.tenant, input.id);
      if (draft === null) return notFound('cart draft');
      const now = clock.now(call.tenant);
      const closed = closedDraftRefusal(draft, now);
      if (closed) return closed;
      const changed = {
        ...draft,
        items: input.items ?? draft.items,
        email: input.email === undefined ? draft.email : input.email,
        shipping_address: input.shipping_address === undefined ? draft.shipping_address : input.shipping_address,
        billing_address: input.billing_address === undefined ? draft.billing_address : input.billing_address,
        promotion_codes: input.promotion_codes ?? draft.promotion_codes,
        buyer: input.buyer === undefined ? draft.buyer : wholeBuyer(input.buyer),
      };
      const made = await pricedDraft(appraisal, call, changed, now);
      const priced = input.items ? made : mapStoredLineRefusal(made, changed.items, 'cart_draft_id');
      return priced instanceof Refusal ? priced : { ...priced, from: JSON.stringify(draft) };
    },
    run: async (tx, { tenant }, { id }, { draft, shown, from }) => {
      const before = await holdDraft(tx.sql, tenant, id);
      const closed = before && closedDraftRefusal(before, clock.now(tenant));
      if (closed) return closed;
      if (JSON.stringify(before) !== from) return changedMeanwhile('cart draft');
      await saveDraft(tx.sql, tenant, draft);
      return { data: shown };
    },
    undo: () => {},
  });

export const draftHandlers = (
  runtime: DraftRuntime,
  appraisal: IntentAppraisal,
): Pick<Handlers<AgentRpcs>, 'CreateCartDraft' | 'GetCartDraft' | 'UpdateCartDraft'> => {
  const { clock } = runtime;
  return {
    CreateCartDraft: createDraft<CreateCartDraftRequest>(runtime, appraisal, (cart) => ({ cart, agent: null })),

    GetCartDraft: query(async (sql, call, { id }) => {
      const draft = await findDraft(sql, call.tenant, id);
      if (draft === null) return notFound('cart draft');
      const shown = await shownDraft(appraisal, call, draft, clock.now(call.tenant));
      return shown instanceof Refusal ? shown : { data: shown };
    }),

    UpdateCartDraft: updateDraft(runtime, appraisal),
  };
};

export const cartHandlers = (
  runtime: DraftRuntime,
  appraisal: IntentAppraisal,
): Pick<Handlers<AgentSessionRpcs>, 'BeginCart' | 'ChangeCart' | 'CancelCart'> => ({
  BeginCart: createDraft<BeginCartRequest>(runtime, appraisal, (input) => input),
  ChangeCart: updateDraft(runtime, appraisal),

  CancelCart: staged<GetCartDraftRequest, CartDraftResponse, CartDraft>({
    prepare: async (call, { id }) => {
      const draft = await findDraft(runtime.postgres.sql, call.tenant, id);
      if (draft === null) return notFound('cart draft');
      const now = runtime.clock.now(call.tenant);
      const closed = closedDraftRefusal(draft, now);
      return closed ?? shownDraft(appraisal, call, { ...draft, cancelled: true }, now);
    },
    run: async (tx, { tenant }, { id }, shown) => {
      const draft = await holdDraft(tx.sql, tenant, id);
      if (draft === null) return notFound('cart draft');
      const closed = closedDraftRefusal(draft, runtime.clock.now(tenant));
      if (closed) return closed;
      await saveDraft(tx.sql, tenant, { ...draft, cancelled: true });
      return { data: shown };
    },
    undo: () => {},
  }),
});
