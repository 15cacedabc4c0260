// Reads a stream: single messages from the stream's leader, ranges through a temporary consumer.

import { Unavailable } from '#runtime/call/fault.ts';
import type { Stored, Stream } from './bus.ts';
import type { JetStreamClient, JetStreamManager } from './library.ts';

export interface StreamSession {
  readonly manager: JetStreamManager;
  readonly jetstream: JetStreamClient;
  within<T>(work: Promise<T>): Promise<T>;
}

type Settings = Parameters<JetStreamManager['consumers']['add']>[1];

/** Part of the library's manager that its type leaves out: reads from any replica. */
interface DirectReader {
  readonly direct: { getMessage(stream: string, query: { seq: number }): Promise<{ readonly data: Uint8Array }> };
}

const NO_MESSAGE = 10_037;
/** Maximum number of messages in flight; the largest messages take 128 MB together. */
const FETCH_MAX = 256;
const FETCH_MS = 1_500;
/** In ns: after this idle time the server deletes the consumer of a reader that died. */
const FORGOTTEN_AFTER = 10_000_000_000;

const toUnavailable = (cause: unknown): Unavailable =>
  cause instanceof Unavailable ? cause : new Unavailable('The message bus does not answer.', { cause });

const isMissing = (problem: unknown): boolean =>
  (problem as { api_error?: { err_code?: number } }).api_error?.err_code === NO_MESSAGE;

export const readStream = (name: string, open: () => Promise<StreamSession>): Stream => {
  const ask = async <T>(run: (session: StreamSession) => Promise<T>): Promise<T> => {
    const session = await open();
    try {
      return await session.within(run(session));
    } catch (problem) {
      throw toUnavailable(problem);
    }
  };

  const message = (query: { seq: number } | { last_by_subj: string }): Promise<Stored | null> =>
    ask(async ({ manager }) => {
      try {
        const { seq, data } = await manager.streams.getMessage(name, query);
        return { sequence: seq, bytes: data };
      } catch (problem) {
        if (isMissing(problem)) return null;
        throw problem;
      }
    });

  async function* read(subject: string, from: number, to: number): AsyncGenerator<Stored> {
    if (from > to) return;
    const session = await open();
    const { manager, jetstream } = session;
    const settings = {
      ack_policy: 'none',
      deliver_policy: 'by_start_sequence',
      opt_start_seq: from,
      filter_subject: subject,
      mem_storage: true,
      num_replicas: 1,
      inactive_threshold: FORGOTTEN_AFTER,
    } as Partial<Settings>;
    let consumer: string | null = null;
    try {
      const made = await session.within(manager.consumers.add(name, settings));
      consumer = made.name;
      const reader = await session.within(jetstream.consumers.get(name, consumer));
      for (let reached = 0, delivered = 0; reached < to; ) {
        const before = reached;
        const coming = await session.within(reader.fetch({ max_messages: FETCH_MAX, expires: FETCH_MS }));
        for await (const { seq, data, info } of coming) {
          if (info.deliverySequence !== ++delivered) throw new Unavailable('A message was lost on its way.');
          if (seq <= to) yield { sequence: seq, bytes: data };
          reached = seq;
          if (reached >= to) break;
        }
        if (reached === before) throw new Unavailable('The stream ends before it should.');
      }
    } catch (problem) {
      throw toUnavailable(problem);
    } finally {
      if (consumer !== null) manager.consumers.delete(name, consumer).catch(() => {});
    }
  }

  const copied = (sequence: number): Promise<Uint8Array | null> =>
    ask(async ({ manager }) => {
      try {
        return (await (manager as JetStreamManager & DirectReader).direct.getMessage(name, { seq: sequence })).data;
      } catch {
        return null;
      }
    });

  return {
    copy: async (sequence) => (await copied(sequence)) ?? (await message({ seq: sequence }))?.bytes ?? null,
    erase: async (subject) => {
      await ask(({ manager }) => manager.streams.purge(name, { filter: subject }));
    },
    head: () => ask(async ({ manager }) => (await manager.streams.info(name)).state.last_seq),
    last: (subject) => message({ last_by_subj: subject }),
    at: (sequence) => message({ seq: sequence }),
    read,
    trim: async (before) => {
      // The server replaces a bound of 1 or less by its default, which would delete every message.
      if (before <= 1) return;
      await ask(({ manager }) => manager.streams.purge(name, { seq: before }));
    },
  };
};
