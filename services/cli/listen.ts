// Brings the events of a sandbox to a developer's machine: follows its log, and sends each on, signed as a webhook is.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListEventsResponse, WebhookEvent } from '#proto/gen/webhook.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import { SetupError } from './local/child.ts';
import type { SandboxAccess } from './sandbox_access.ts';

const WAIT_S = 8;
const POLL_MS_MAX = 15_000;
const FORWARD_MS = 30_000;
const AGAIN_MS = 1_000;
const AGAIN_MS_MAX = 15_000;

export interface ListenOptions extends SandboxAccess {
  /** Null: events are only told of. */
  readonly forwardTo: string | null;
  /** Empty: all. */
  readonly types: readonly string[];
  readonly signal: AbortSignal;
  /** From here on nothing is missed. */
  readonly ready: (secret: string) => void;
  readonly told: (event: WebhookEvent, outcome: Forwarded | null) => void;
  readonly trouble: (sentence: string) => void;
}

export interface Forwarded {
  /** Null where none answered. */
  readonly status: number | null;
  readonly error: string | null;
}

/** One a key, so that it can be kept in a developer's settings. */
const listenSecret = (key: string): string =>
  `whsec_${createHash('sha256').update(`stoa listen\n${key}`).digest().subarray(0, 24).toString('base64')}`;

/** The bytes of the webhook: the event as the log shows it, but for what became of it. */
const payloadOf = ({ deliveries: _, ...envelope }: WebhookEvent): string => JSON.stringify(envelope);

const forward = async (url: string, event: WebhookEvent, secret: string): Promise<Forwarded> => {
  const body = payloadOf(event);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Stoa/1.0 (listen)',
        ...signatureHeaders({ secrets: [secret], id: event.id, body, nowMs: Date.now() }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS),
    });
    await answer.body?.cancel();
    return { status: answer.status, error: null };
  } catch (problem) {
    return { status: null, error: (problem as Error).message };
  }
};

/** A moment's trouble is waited out; a refusal is not. */
class Trouble extends Error {}

const follow = async (
  { baseUrl, key, signal }: Pick<ListenOptions, 'baseUrl' | 'key' | 'signal'>,
  position: string,
): Promise<ListEventsResponse> => {
  const query = new URLSearchParams({ follow: position, limit: '100', wait_seconds: String(WAIT_S) });
  let answer: Response;
  try {
    answer = await fetch(`${baseUrl}/v1/webhook-events?${query}`, {
      headers: { authorization: `Bearer ${key}` },
      signal: AbortSignal.any([signal, AbortSignal.timeout(POLL_MS_MAX)]),
    });
  } catch (problem) {
    throw new Trouble(`${baseUrl} does not answer: ${(problem as Error).message}`);
  }
  if (answer.ok) return (await answer.json()) as ListEventsResponse;
  const sentence = `${baseUrl} answered ${answer.status}: ${await answer.text()}`;
  if (answer.status >= 500 || answer.status === 429) throw new Trouble(sentence);
  throw new SetupError(sentence);
};

/** Until `signal` says stop. Events are sent on one after the other, in the order in which the log tells them. */
export const listen = async (options: ListenOptions): Promise<void> => {
  const { key, signal, types } = options;
  const secret = listenSecret(key);
  let position = 'now';
  let pause = AGAIN_MS;
  while (!signal.aborted) {
    try {
      const { webhook_events: events, position: next } = await follow(options, position);
      if (position === 'now') options.ready(secret);
      for (const event of events) {
        if (signal.aborted) return;
        if (types.length > 0 && !types.includes(event.type)) continue;
        options.told(event, options.forwardTo === null ? null : await forward(options.forwardTo, event, secret));
      }
      position = next ?? position;
      pause = AGAIN_MS;
    } catch (problem) {
      if (signal.aborted) return;
      if (!(problem instanceof Trouble)) throw problem;
      if (pause === AGAIN_MS) options.trouble(problem.message);
      await sleep(pause, undefined, { signal }).catch(() => {});
      pause = Math.min(AGAIN_MS_MAX, pause * 2);
    }
  }
};
