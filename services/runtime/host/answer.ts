// Converts a handler's reply to the link's answer.
import { Refusal, Rendered } from '#runtime/call/call.ts';
import { UnknownOutcome } from '#runtime/call/fault.ts';
import { type Answer, NO_BYTES } from '#runtime/link/frame.ts';
import { markReplayed } from '#runtime/postgres/idempotency.ts';

const encoder = new TextEncoder();

/** An answer whose fragments are joined only when `body` is read, since a link sends them separately. */
class RenderedAnswer implements Answer {
  readonly #rendered: Rendered;
  readonly list: Rendered['list'];
  readonly dependsOn: Rendered['dependsOn'];
  readonly freshMs: number;
  readonly replayed = false;
  readonly refused = null;

  constructor(rendered: Rendered) {
    this.#rendered = rendered;
    this.list = rendered.list;
    this.dependsOn = rendered.dependsOn;
    this.freshMs = rendered.freshMs;
  }

  get body(): Uint8Array {
    return this.#rendered.body;
  }
}

class WrittenAnswer implements Answer {
  readonly text: string;
  readonly dependsOn = [];
  readonly replayed = false;
  readonly refused = null;
  #body: Uint8Array | null = null;

  constructor(text: string) {
    this.text = text;
  }

  get body(): Uint8Array {
    this.#body ??= encoder.encode(this.text);
    return this.#body;
  }
}

export const isUnknown = (problem: unknown): boolean =>
  problem instanceof UnknownOutcome || (problem instanceof Error && problem.name === 'TimeoutError');

export const answered = (reply: unknown): Answer => {
  if (reply instanceof Rendered) return new RenderedAnswer(reply);
  if (reply instanceof Refusal) return { body: NO_BYTES, dependsOn: [], replayed: false, refused: reply };
  return new WrittenAnswer(JSON.stringify(reply));
};

export const replayed = (body: Uint8Array): Answer => ({
  body: markReplayed(body),
  dependsOn: [],
  replayed: true,
  refused: null,
});
