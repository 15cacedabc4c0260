// Runs handlers of every kind with a deadline, a limit on concurrency, metrics and one translation of faults.
import { READING } from '#proto/gen/reading.ts';
import { commandIdOf } from '#runtime/actor/host.ts';
import { Audit, type AuditedCall } from '#runtime/audit/audit.ts';
import { type Call, Refusal, refuse, tenantKey } from '#runtime/call/call.ts';
import { Unavailable, UnknownOutcome } from '#runtime/call/fault.ts';
import type { Command, Domain, Handler, Staged, Write } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { batchLoader } from '#runtime/flow/batch_loader.ts';
import type { Answer, Ask } from '#runtime/link/frame.ts';
import type { Cancellation, LinkHost } from '#runtime/link/server.ts';
import { rpcAttributes, spanEndOf } from '#runtime/link/span.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import {
  claimKey,
  type KeyLookup,
  type KeyState,
  keyStatesOf,
  SAME_REQUEST_RUNNING,
  STILL_RUNNING,
  storeAnswer,
} from '#runtime/postgres/idempotency.ts';
import { failpoint } from '#runtime/process/failpoint.ts';
import { rpcMetric } from '#runtime/process/metric.ts';
import { type ThrottledLog, throttledLog } from '#runtime/process/throttled_log.ts';
import { openSpan } from '#runtime/process/trace.ts';
import { answered, isUnknown, replayed } from './answer.ts';
import { GroupCommit } from './group_commit.ts';
import { HostCall } from './host_call.ts';

class ConcurrentCalls {
  readonly #counts = new Map<string, number>();

  enter(name: string): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  leave(name: string): void {
    const left = (this.#counts.get(name) ?? 0) - 1;
    if (left > 0) this.#counts.set(name, left);
    else this.#counts.delete(name);
  }

  isAlone(name: string): boolean {
    return this.#counts.get(name) === 1;
  }
}

/** Maximum number of calls running at once; further calls are refused within 50 ms. */
const RUNNING_MAX = 4_096;
const DEADLINE_MS_MAX = 65_000;

const LOOKUPS_MAX = 100;

const PREPARATION_ATTEMPTS_MAX = 100;
/** Time that a caller must have left for another attempt; with less, the caller gets the refusal. */
const ATTEMPT_MS_MIN = 1_000;

const PAUSES_WHILE_KEY_RUNS_MS = [5, 10, 20, 40, 80];

const decoder = new TextDecoder();

type Awaitable<T> = T | Promise<T>;
type Transacted = Exclude<Handler, Command<unknown, unknown> | Staged<unknown, unknown, unknown>>;

/** A handler for calls that may only replay: the stored answer is returned or the call is refused before `run`. */
const NEVER: Write<unknown, unknown> = {
  kind: 'transaction',
  run: () => {
    throw new Unavailable('The answer of this key is gone.');
  },
};

export class Host implements LinkHost {
  readonly #runtime: Runtime;
  readonly #handlers = new Map<string, Handler>();
  readonly #services: string[] = [];
  readonly #commits: GroupCommit;
  readonly #audit: Audit;
  readonly #sparing: ThrottledLog;
  readonly #staging = new ConcurrentCalls();
  readonly #keyState: (wanted: KeyLookup) => Promise<KeyState>;
  #running = 0;

  constructor(runtime: Runtime, domains: readonly Domain[]) {
    this.#runtime = runtime;
    this.#sparing = throttledLog(runtime.log);
    this.#commits = new GroupCommit(runtime.postgres, answered);
    this.#keyState = batchLoader((wanted: readonly KeyLookup[]) => keyStatesOf(runtime.postgres.sql, wanted), {
      itemsMax: LOOKUPS_MAX,
    });
    for (const domain of domains)
      for (const [service, rpcs] of Object.entries(domain.services)) {
        this.#services.push(service);
        for (const [method, handler] of Object.entries(rpcs)) this.#handlers.set(`${service}/${method}`, handler);
      }
    this.#audit = new Audit(this.#handlers, domains);
  }

  get rpcs(): readonly string[] {
    return [...this.#handlers.keys()];
  }

  get running(): number {
    return this.#running;
  }

  hello() {
    return { services: this.#services, draining: false };
  }

  serves(rpc: string): boolean {
    return this.#handlers.has(rpc);
  }

  dispatch(ask: Ask, cancellation: Cancellation): Answer | Promise<Answer> {
    const handler = this.#handlers.get(ask.rpc);
    if (!handler)
      return answered(refuse('service_unavailable', 'This service is not hosted here.', { retryAfterS: 1 }));
    if (this.#running >= RUNNING_MAX)
      return answered(
        refuse('service_unavailable', 'This host already runs 4,096 calls. Retry after a second.', { retryAfterS: 1 }),
      );
    const { clock } = this.#runtime;
    const startedAt = performance.now();
    const span = openSpan(ask.rpc, ask.isInProcess ? 'internal' : 'server', ask.trace, rpcAttributes, ask);
    const deadline = clock.real() + Math.min(ask.timeoutMs, DEADLINE_MS_MAX);
    const call = new HostCall(ask, deadline, cancellation, span?.trace ?? ask.trace, this.#audit.open(ask));
    this.#running++;
    const finish = (answer: Answer, problem?: unknown): Answer => {
      this.#running--;
      rpcMetric(ask.rpc, answer.refused?.code ?? 'ok', performance.now() - startedAt);
      span?.end({ ...spanEndOf(answer), problem });
      return answer;
    };
    const fail = (problem: unknown): Answer => finish(this.#fault(problem, ask), problem);
    let result: Answer | Promise<Answer>;
    try {
      result = this.#run(handler, call, ask);
    } catch (problem) {
      return fail(problem);
    }
    return result instanceof Promise ? result.then((answer) => finish(answer), fail) : finish(result);
  }

  /**
   * Runs a read in this process and returns the handler's value, synchronously if the handler does. Undefined: the rpc
   * is not a read or not on this host.
   */
  readInProcess(rpc: string, call: Call, input: unknown): unknown {
    const handler = this.#handlers.get(rpc);
    if (handler?.kind !== 'read') return undefined;
    const startedAt = performance.now();
    const finish = (reply: unknown): unknown => {
      rpcMetric(rpc, reply instanceof Refusal ? reply.code : 'ok', performance.now() - startedAt);
      return reply;
    };
    const fail = (problem: unknown): unknown =>
      finish(this.#fault(problem, { rpc, requestId: call.requestId }).refused);
    try {
      const reply: unknown = handler.run(call, input);
      return reply instanceof Promise ? reply.then(finish, fail) : finish(reply);
    } catch (problem) {
      return fail(problem);
    }
  }

  #run(handler: Handler, call: HostCall, ask: Ask): Answer | Promise<Answer> {
    const input = ask.value ?? (ask.input === '' ? {} : (JSON.parse(ask.input) as unknown));
    const answer = this.#answer(handler, call, ask.rpc, input);
    const commits =
      handler.kind === 'transaction' || handler.kind === 'staged' || (call.idempotency && handler.kind !== 'command');
    return call.audited && !commits ? this.#recordAfterwards(call.audited, call, input, answer) : answer;
  }

  /** Records a call that committed its effect elsewhere, such as in a journal. Without the record it has no answer. */
  async #recordAfterwards(
    audited: AuditedCall,
    call: HostCall,
    input: unknown,
    running: Answer | Promise<Answer>,
  ): Promise<Answer> {
    const answer = await running;
    if (answer.refused || answer.replayed || audited.isRecorded) return answer;
    const reply: unknown = JSON.parse(answer.text ?? decoder.decode(answer.body));
    try {
      await this.#runtime.postgres.transaction((tx) => audited.add(tx, call, input, reply), call.tenant);
    } catch (problem) {
      throw new UnknownOutcome('The write has no audit record.', { cause: problem });
    }
    return answer;
  }

  #answer(handler: Handler, call: HostCall, rpc: string, input: unknown): Answer | Promise<Answer> {
    if (handler.kind === 'read' && !call.idempotency) {
      const reply = handler.run(call, input);
      return reply instanceof Promise ? reply.then(answered) : answered(reply);
    }
    if (handler.kind === 'command') return this.#command(handler, call, input);
    if (handler.kind === 'staged') return this.#staged(rpc, handler, call, input);
    if (handler.kind === 'query' && !call.idempotency)
      return Promise.resolve(handler.run(this.#runtime.postgres.sql, call, input)).then(answered);
    return this.#transaction(handler, call, input);
  }

  /**
   * Runs a handler that sends commands. The journal stores the facts and the call's idempotency key in one record; the
   * response is stored separately.
   */
  async #command(handler: Command<unknown, unknown>, call: HostCall, input: unknown): Promise<Answer> {
    const keyed = this.#runtime.actors.idempotentCall(call);
    if (call.idempotency?.replayOnly) {
      const response = await keyed.storedResponse();
      return response
        ? replayed(response)
        : answered(
            refuse(
              'rate_limited',
              'No response is stored under this Idempotency-Key. Retry when the rate limit allows the request itself.',
            ),
          );
    }
    let reply: unknown;
    try {
      reply = await handler.run(keyed.actors, call, input);
    } catch (problem) {
      if (!keyed.response) throw problem;
    }
    if (keyed.response) return replayed(keyed.response);
    const answer = answered(reply);
    if (!call.idempotency || answer.refused) return answer;
    keyed.storeResponse(answer.body);
    return keyed.replayed ? replayed(answer.body) : answer;
  }

  async #staged(
    rpc: string,
    handler: Staged<unknown, unknown, unknown>,
    call: HostCall,
    input: unknown,
  ): Promise<Answer> {
    const { clock } = this.#runtime;
    if (call.idempotency) {
      const known = await this.#keyState({ call, now: clock.now(call.tenant) });
      if (known === 'running') return answered(STILL_RUNNING);
      if (known === 'stored' || call.idempotency.replayOnly) return this.#transaction(NEVER, call, input);
      failpoint('claim', call.tenant.store);
    }
    await call.audited?.prepare(this.#runtime.postgres.sql, call, input);
    const name = commandIdOf(call);
    this.#staging.enter(name);
    try {
      for (let count = 1; ; count++) {
        const answer = await this.#attempt(rpc, handler, call, input, () => this.#staging.isAlone(name));
        if (!answer.refused || handler.overtaken?.(answer.refused) !== true) return answer;
        if (count === PREPARATION_ATTEMPTS_MAX || call.deadline - clock.real() < ATTEMPT_MS_MIN) return answer;
      }
    } finally {
      this.#staging.leave(name);
    }
  }

  /**
   * Prepares and runs a staged call once. `isAlone` tells whether no other call with the same key and body runs in this
   * process.
   */
  async #attempt(
    rpc: string,
    handler: Staged<unknown, unknown, unknown>,
    call: HostCall,
    input: unknown,
    isAlone: () => boolean,
  ): Promise<Answer> {
    const prepared = await handler.prepare(call, input);
    if (prepared instanceof Refusal) return this.#refuse(call, input, prepared);
    const { ownsPrepared = false, undoChecksOutcome = false, group } = handler;
    let ran = false;
    const undo = async (): Promise<void> => {
      try {
        await handler.undo(call, prepared);
      } catch (problem) {
        const fields = { err: problem, request_id: call.requestId };
        this.#sparing.warn(`undo ${rpc} ${problem}`, fields, 'failed to undo a preparation; expires later');
      }
    };
    const run = (tx: Transaction): Awaitable<unknown> => {
      ran = true;
      return handler.run(tx, call, input, prepared);
    };
    const decide = () => this.#transaction({ kind: 'transaction', run } as Write<unknown, unknown>, call, input);
    try {
      let answer = await (call.idempotency && group?.fits(input, prepared)
        ? this.#commits.enter(
            tenantKey(call.tenant, rpc),
            group,
            { call, input, prepared, audited: call.audited },
            decide,
          )
        : decide());
      // Tries again, because calls that only look up the key hold its lock for a moment.
      for (const waitMs of PAUSES_WHILE_KEY_RUNS_MS) {
        if (ran || answer.refused?.code !== 'conflict') break;
        await Bun.sleep(waitMs);
        answer = await decide();
      }
      // A refusal before `run` means that another request with this key is running. If that request has the same body,
      // it shares the reservations and decides whether to undo them; with another body it has its own reservations.
      const decides = ran || (answer.refused !== SAME_REQUEST_RUNNING && isAlone());
      if (ownsPrepared ? answer.refused || answer.replayed : answer.refused && decides) await undo();
      return answer;
    } catch (problem) {
      if (undoChecksOutcome || ((ownsPrepared || ran) && problem instanceof Unavailable)) await undo();
      throw problem;
    }
  }

  async #transaction(handler: Transacted, call: HostCall, input: unknown): Promise<Answer> {
    let ran = false;
    const outcome = await this.#runtime.postgres.transaction(async (tx: Transaction): Promise<Answer | Refusal> => {
      if (call.idempotency) {
        const stored = await claimKey(tx, call);
        if (stored instanceof Refusal) return stored;
        if (stored) return replayed(stored.body);
        if (call.idempotency.replayOnly)
          return refuse(
            'rate_limited',
            'No response is stored under this Idempotency-Key. Retry when the rate limit allows the request itself.',
          );
        tx.afterCommit(() => failpoint('commit', call.tenant.store));
      }
      ran = true;
      const run = () => this.#inTransaction(handler, tx, call, input);
      const reply = await (call.audited ? call.audited.around(tx, call, input, run) : run());
      if (reply instanceof Refusal) return reply;
      const answer = answered(reply);
      if (call.idempotency) {
        storeAnswer(tx, call, answer.body);
        failpoint('transaction', call.tenant.store);
      }
      return answer;
    }, call.tenant);
    failpoint('reply', call.tenant.store);
    if (!(outcome instanceof Refusal)) return outcome;
    return ran ? this.#refuse(call, input, outcome) : answered(outcome);
  }

  /**
   * Answers a refusal. The first request with this key may have committed since the look-up and so have caused the
   * refusal; the stored answer is then returned instead.
   */
  async #refuse(call: HostCall, input: unknown, refusal: Refusal): Promise<Answer> {
    if (!call.idempotency) return answered(refusal);
    const known = await this.#keyState({ call, now: this.#runtime.clock.now(call.tenant) });
    return known === 'stored' ? this.#transaction(NEVER, call, input) : answered(refusal);
  }

  #inTransaction(handler: Transacted, tx: Transaction, call: HostCall, input: unknown): unknown {
    if (handler.kind === 'transaction') return handler.run(tx, call, input);
    return handler.kind === 'query' ? handler.run(tx.sql, call, input) : handler.run(call, input);
  }

  #fault(problem: unknown, ask: Pick<Ask, 'rpc' | 'requestId'>): Answer {
    if (problem instanceof Unavailable) {
      const { message } = problem;
      const fields = { rpc: ask.rpc, request_id: ask.requestId, problem: message };
      this.#sparing.warn(`${ask.rpc} ${message}`, fields, 'unavailable');
      return answered(
        refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: problem.retryAfterS }),
      );
    }
    // Logs no stack, because many such faults are expected at once after another process crashed.
    if (problem instanceof UnknownOutcome)
      this.#runtime.log.warn(
        { rpc: ask.rpc, request_id: ask.requestId, problem: problem.message },
        'failed with an unknown outcome',
      );
    else this.#runtime.log.error({ err: problem, rpc: ask.rpc, request_id: ask.requestId }, 'fault');
    if (READING.has(ask.rpc) && isUnknown(problem))
      return answered(refuse('service_unavailable', 'The service is temporarily unavailable.', { retryAfterS: 1 }));
    return answered(refuse('server_error', 'An internal error occurred.'));
  }
}
