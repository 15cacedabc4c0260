// Consumes events from the bus, many in one transaction. After a failure it handles them one by one, with retries and a
// dead-letter table.

import type { EventType } from '#proto/gen/event_map.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type EventHead, saysUnfollowed, unpackEvents, wantedSubjects } from '#runtime/event/batch.ts';
import { inSlices } from '#runtime/flow/slice.ts';
import type { BusMessage } from '#runtime/nats/bus.ts';
import type { Postgres } from './database.ts';
import { type InboxOptions, openInboxTransaction } from './inbox_transaction.ts';
import { eventStream } from './outbox.ts';
import type { Sql, SqlFragment } from './sql.ts';

export interface Inbox {
  stop(): Promise<void>;
}

/** Maximum number of messages in flight, of up to 400 kB each. */
const PENDING_MAX = 32;
const EVENTS_WANTED = 256;
const WAIT_MS = 15_000;
/** Long enough for an answer of the bus about events that are there. */
const GATHERED_WAIT_MS = 50;
const ACK_WAIT_MS = 30_000;
const TROUBLE_MS = 500;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 60_000;
const DELIVERIES_MAX = 15;

interface WantedMessage {
  readonly message: BusMessage;
  readonly heads: readonly EventHead[];
}

const matcher = (types: readonly string[]): ((type: string) => boolean) => {
  const exact = new Set(types);
  const groups = types.filter((type) => type.endsWith('.*')).map((type) => type.slice(0, -1));
  if (exact.has('*')) return () => true;
  return (type) => exact.has(type) || groups.some((group) => type.startsWith(group));
};

export const startInbox = <T extends EventType>(options: InboxOptions<T>): Inbox => {
  const { postgres, bus, namespace, log, name } = options;
  const wants = matcher(options.types);
  const { handle, read } = openInboxTransaction(options);
  const deliveriesMax = options.deliveriesMax ?? DELIVERIES_MAX;
  const retryMs = options.retryMs ?? RETRY_MS;
  const gatherMs = options.gatherMs ?? 0;
  let stopped = false;
  let streamReady = false;
  const stream = eventStream(namespace, bus.replicas);
  const consumer = bus.consumer({
    stream: stream.name,
    durable: name,
    filterSubjects: wantedSubjects(namespace, options.types),
    ackWaitMs: ACK_WAIT_MS,
    pendingMax: PENDING_MAX,
  });

  const deadLetter = async (head: EventHead, problem: unknown): Promise<void> => {
    const { id, type } = head;
    const [arrival] = await read(postgres, [head]);
    await postgres.sql`
      insert into runtime.dead_event (consumer, event, payload, problem)
      values (${name}, ${id}, ${arrival?.event.text ?? ''}, ${String(problem).slice(0, 2_000)})
      on conflict (consumer, event) do update set problem = excluded.problem, died_at = now()`;
    log.error({ err: problem, consumer: name, event: id, type }, 'stored an event in runtime.dead_event');
  };

  const handleOne = async (head: EventHead, deliveries: number): Promise<boolean> => {
    try {
      await handle([head]);
      return true;
    } catch (problem) {
      if (problem instanceof Unavailable) throw problem;
      if (deliveries < deliveriesMax) {
        log.warn({ err: problem, consumer: name, event: head.id, deliveries }, 'failed to handle an event; will retry');
        return false;
      }
      await deadLetter(head, problem);
      return true;
    }
  };

  const handleSeparately = async ({ message, heads }: WantedMessage): Promise<void> => {
    const { deliveries } = message;
    let done = true;
    for (const head of heads) done = (await handleOne(head, deliveries)) && done;
    if (done) message.ack();
    else message.retry(Math.min(RETRY_MS_MAX, retryMs * 2 ** (deliveries - 1)));
  };

  const handleTogether = async (messages: readonly WantedMessage[]): Promise<void> => {
    try {
      await handle(messages.flatMap(({ heads }) => heads));
      for (const { message } of messages) message.ack();
    } catch (problem) {
      if (problem instanceof Unavailable) throw problem;
      // Handles the messages separately, so that one failing event does not stop the others.
      for (const message of messages) await handleSeparately(message);
    }
  };

  const wantedOf = (message: BusMessage): WantedMessage => {
    const heads: EventHead[] = [];
    for (const head of unpackEvents(message.bytes, !saysUnfollowed(message))) {
      if (head === null) log.error({ consumer: name, sequence: message.sequence }, 'skipped a malformed event');
      else if (wants(head.type)) heads.push(head);
    }
    return { message, heads };
  };

  const handleAll = async (messages: readonly BusMessage[]): Promise<void> => {
    let wanted: WantedMessage[] = [];
    let events = 0;
    for (const message of messages) {
      const next = wantedOf(message);
      if (next.heads.length === 0) {
        message.ack();
        continue;
      }
      wanted.push(next);
      events += next.heads.length;
      if (events < EVENTS_WANTED) continue;
      await handleTogether(wanted);
      wanted = [];
      events = 0;
    }
    if (wanted.length > 0) await handleTogether(wanted);
  };

  const step = async (): Promise<void> => {
    let messages: readonly BusMessage[] = [];
    try {
      if (!postgres.available) throw new Unavailable('The database does not answer.');
      if (!streamReady) await bus.ensureStream(stream);
      streamReady = true;
      messages = await consumer.next(PENDING_MAX, WAIT_MS);
      if (gatherMs > 0 && messages.length > 0 && messages.length < PENDING_MAX) {
        await new Promise((resolve) => setTimeout(resolve, gatherMs).unref());
        messages = [...messages, ...(await consumer.next(PENDING_MAX - messages.length, GATHERED_WAIT_MS))];
      }
      await handleAll(messages);
    } catch (problem) {
      log.debug({ err: problem, consumer: name }, 'failed to fetch events; will retry');
      for (const message of messages) message.retry(TROUBLE_MS);
      streamReady = false;
      await new Promise((resolve) => setTimeout(resolve, TROUBLE_MS).unref());
    }
  };

  const running = (async () => {
    while (!stopped) await step();
  })();

  return {
    stop: async () => {
      stopped = true;
      consumer.close();
      await running;
      consumer.close();
    },
  };
};

const NOTE_RETENTION_DAYS = 14;

export const sweepInbox = ({ sql }: Postgres): Promise<number> =>
  inSlices(async (limit) => {
    const gone = await sql`
      delete from runtime.inbox where ctid in (
        select ctid from runtime.inbox where handled_at < now() - make_interval(days => ${NOTE_RETENTION_DAYS}) limit ${limit}
      )`;
    return gone.count;
  });

export const deleteDeadEvents = async (sql: Sql, before: Date, limit: number): Promise<number> => {
  const gone = await sql`
    delete from runtime.dead_event where ctid = any(array(
      select ctid from runtime.dead_event where died_at < ${before} limit ${limit}))`;
  return gone.count;
};

/** Rewrites stored dead events of which `isOf` is true, a bounded number at once, and drops the problems, which may quote them. */
export const rewriteDeadEvents = async (
  sql: Sql,
  isOf: SqlFragment,
  limit: number,
  rewrite: (payload: string) => string,
): Promise<number> => {
  const rows = await sql<{ consumer: string; event: string; payload: string }[]>`
    select consumer, event, payload from runtime.dead_event where payload <> '' and problem <> '' and ${isOf} limit ${limit}`;
  for (const { consumer, event, payload } of rows)
    await sql`
      update runtime.dead_event set payload = ${rewrite(payload)}, problem = ''
      where consumer = ${consumer} and event = ${event}`;
  return rows.length;
};
