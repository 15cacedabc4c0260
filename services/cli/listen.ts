// Follows a sandbox's event log and forwards each event to a local URL, signed like a webhook.
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ListEventsResponse, WebhookEvent } from '#proto/gen/webhook.ts';
import { signatureHeaders } from '#runtime/outbound/webhook_signature.ts';
import { SetupError } from './local/child.ts';
import type { SandboxAccess } from './sandbox_access.ts';

const WAIT_S = 8;
const POLL_MS_MAX = 15_000;
const FORWARD_MS = 30_000;
const RETRY_MS = 1_000;
const RETRY_MS_MAX = 15_000;

export interface ListenOptions extends SandboxAccess {
  /** URL that gets the events; null only prints them. */
  readonly forwardTo: string | null;
  readonly types: readonly string[];
  readonly signal: AbortSignal;
  readonly onReady: (secret: string) => void;
  readonly onEvent: (event: WebhookEvent, outcome: Forwarded | null) => void;
  readonly onTrouble: (sentence: string) => void;
}

export interface Forwarded {
  readonly status: number | null;
  readonly error: string | null;
}

/** Derives the signing secret from the key, so that it stays the same in every run. */
const listenSecret = (key: string): string =>
  `whsec_${createHash('sha256').update(`stoa listen\n${key}`).digest().subarray(0, 24).toString('base64')}`;

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

class TemporaryFailure extends Error {}

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
    throw new TemporaryFailure(`${baseUrl} does not answer: ${(problem as Error).message}`);
  }
  if (answer.ok) return (await answer.json()) as ListEventsResponse;
  const sentence = `${baseUrl} answered ${answer.status}: ${await answer.text()}`;
  if (answer.status >= 500 || answer.status === 429) throw new TemporaryFailure(sentence);
  throw new SetupError(sentence);
};

export const listen = async (options: ListenOptions): Promise<void> => {
  const { key, signal, types } = options;
  const secret = listenSecret(key);
  let position = 'now';
  let pause = RETRY_MS;
  while (!signal.aborted) {
    try {
      const { webhook_events: events, position: next } = await follow(options, position);
      if (position === 'now') options.onReady(secret);
      for (const event of events) {
        if (signal.aborted) return;
        if (types.length > 0 && !types.includes(event.type)) continue;
        options.onEvent(event, options.forwardTo === null ? null : await forward(options.forwardTo, event, secret));
      }
      position = next ?? position;
      pause = RETRY_MS;
    } catch (problem) {
      if (signal.aborted) return;
      if (!(problem instanceof TemporaryFailure)) throw problem;
      if (pause === RETRY_MS) options.onTrouble(problem.message);
      await sleep(pause, undefined, { signal }).catch(() => {});
      pause = Math.min(RETRY_MS_MAX, pause * 2);
    }
  }
};
