// Renders responses from fragments. A list is a head, fragments separated by commas, and a tail. Each fragment has a
// number, so that a link need not send its bytes again (`link/fragment.ts`).
import { Buffer } from 'node:buffer';

export const ENDING_BYTES_MAX = 127;

export interface FragmentList {
  readonly head: Uint8Array;
  /** Fragment numbers. A number identifies the same bytes for as long as this process lives. */
  readonly names: readonly number[];
  readonly fragment: (at: number) => Uint8Array;
  /** Writes bytes that follow a fragment in this list only; returns the offset after them. */
  readonly ending?: (into: Buffer, start: number, at: number) => number;
  readonly tail: Uint8Array;
  readonly whole?: (head: Uint8Array, tail: Uint8Array) => Buffer;
}

let last = 0;

export const nameFragment = (): number => ++last;

export const newestFragment = (): number => last;

const COMMA = 0x2c;

export function joined(
  head: Uint8Array,
  parts: readonly Uint8Array[],
  tail: Uint8Array,
  endings: readonly Uint8Array[] = [],
): Buffer {
  let bytes = head.length + tail.length + Math.max(0, parts.length - 1);
  for (const part of parts) bytes += part.length;
  for (const ending of endings) bytes += ending.length;
  const body = Buffer.allocUnsafeSlow(bytes);
  body.set(head, 0);
  let at = head.length;
  for (let i = 0; i < parts.length; i++) {
    if (i > 0) body[at++] = COMMA;
    const part = parts[i] as Uint8Array;
    body.set(part, at);
    at += part.length;
    const ending = endings[i];
    if (ending === undefined) continue;
    // A loop is faster than `set` for an ending's few bytes.
    for (let each = 0; each < ending.length; each++) body[at++] = ending[each]!;
  }
  body.set(tail, at);
  return body;
}

export const wholeList = ({ head, names, fragment, ending, tail, whole }: FragmentList): Buffer => {
  if (whole) return whole(head, tail);
  const parts = names.map((_, at) => fragment(at));
  return joined(head, parts, tail, ending && parts.map((_, at) => endingOf(ending, at)));
};

const endingOf = (ending: NonNullable<FragmentList['ending']>, at: number): Buffer => {
  const room = Buffer.allocUnsafe(ENDING_BYTES_MAX);
  return room.subarray(0, ending(room, 0, at));
};
