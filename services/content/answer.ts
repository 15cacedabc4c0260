// An answer that an edge may keep: its bytes, and what makes them stale.
import { Rendered } from '#runtime/call/call.ts';

const encoder = new TextEncoder();

/** `subject`: as `writeSubject` puts it. */
export const rendered = (answer: object, revision: number, subject: string): Rendered =>
  new Rendered(encoder.encode(JSON.stringify(answer)), revision, subject);
