// Handles limit rpcs of edges and other domains.
import type { GetMonthRequest, LimitRpcs } from '#proto/gen/limit.ts';
import type { Actors } from '#runtime/actor/host.ts';
import { type Call, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { rethrowRetryable } from '#runtime/call/fault.ts';
import { command, type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { LIMIT, PACE } from './actor.ts';
import type { LimitAnswer, Take } from './limit.ts';

/** Pauses in ms between attempts to get tokens, in which other edges may return unspent ones. */
const RECALL_PAUSES_MS = [4, 8, 16, 32, 64, 128, 256, 512];

const RESETS_BEFORE_PACE = 5;
const RESETS_ANYWHERE = 10;

/** Returns the store's production tenant, whose clock is real time. */
const realTenant = ({ store }: Tenant): Tenant => ({ store, environment: 'production' });

export const limitHandlers = ({ actors, notices }: Pick<Runtime, 'actors' | 'notices'>): Handlers<LimitRpcs> => {
  const take = (caller: Actors, call: Call, id: string, order: Take): Promise<LimitAnswer | Refusal> =>
    caller
      .tell(LIMIT, realTenant(call.tenant), id, order, {
        commandId: `${order.edge}.${order.sequence}`,
        deadline: call.deadline,
        trace: call.trace,
      })
      // The edge's next report corrects the account of an unknown outcome either way.
      .catch(rethrowRetryable);

  return {
    Take: command(async (caller, call, { subject = '', patient = false, ...asked }) => {
      const order: Take = { type: 'Take', ...asked };
      const id = `${asked.scope}/${subject}`;
      let answer = await take(caller, call, id, order);
      for (const pauseMs of patient ? RECALL_PAUSES_MS : []) {
        if (answer instanceof Refusal || answer.granted >= asked.need || answer.outstanding === 0) break;
        if (pauseMs === RECALL_PAUSES_MS[0])
          notices.publish({ kind: 'tokens', tenant: realTenant(call.tenant), ids: [id] });
        await Bun.sleep(pauseMs);
        answer = await take(caller, call, id, order);
      }
      if (answer instanceof Refusal) return answer;
      const { start, end, granted, left } = answer;
      return { start, end, granted, left };
    }),

    GetMonth: read(async ({ tenant, deadline, trace }, _input: GetMonthRequest) => {
      const look = { commandId: '', deadline, trace };
      const answer = await actors.tell(LIMIT, realTenant(tenant), 'month/', { type: 'Read', scope: 'month' }, look);
      return answer instanceof Refusal ? answer : { start: answer.start, end: answer.end, spent: answer.spent };
    }),

    AdmitReset: command(async (caller, call, { email_hash }) => {
      const { tenant, deadline, requestId, trace } = call;
      const everywhere: Tenant = { store: '', environment: 'production' };
      const id = `reset/${tenant.environment}/${email_hash}`;
      for (const [owner, after] of [
        [realTenant(tenant), RESETS_BEFORE_PACE],
        [everywhere, RESETS_ANYWHERE],
      ] as const) {
        const waitMs = await caller.tell(PACE, owner, id, { after }, { commandId: requestId, deadline, trace });
        if (waitMs instanceof Refusal) return waitMs;
        if (waitMs > 0)
          return refuse('rate_limited', 'This e-mail address had too many attempts; wait for `Retry-After` seconds.', {
            details: 'One attempt a minute is admitted until the others are 15 minutes old.',
            retryAfterS: Math.ceil(waitMs / 1_000),
          });
      }
      return { admitted: true };
    }),
  };
};
