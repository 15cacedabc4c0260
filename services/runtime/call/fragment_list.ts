// Answers that are put together of fragments: a list of products is its head, their fragments with commas between, its tail. Each
// fragment has a name, so that a link need not send it again (`link/fragment.ts`).
import { Buffer } from 'node:buffer';

/** What follows a fragment in one list is no longer than this. */
export const ENDING_BYTES_MAX = 127;

/** A body that is a list: `head`, its fragments with commas between them, `tail`. */
export interface FragmentList {
  readonly head: Uint8Array;
  /** Each names its bytes for as long as this process lives: other bytes have another name. */
  readonly names: readonly number[];
  /** The bytes of the fragment at this place of `names`, made when they are needed. */
  readonly fragment: (at: number) => Uint8Array;
  /** Writes what follows the fragment at this place in this list alone; returns where that ends. */
  readonly ending?: (into: Buffer, start: number, at: number) => number;
  readonly tail: Uint8Array;
  /** All of it at once, from this head to this tail, where that is less work than fragment by fragment. */
  readonly whole?: (head: Uint8Array, tail: Uint8Array) => Buffer;
}

let last = 0;

/** A name that no fragment of this process has had. */
export const nameFragment = (): number => ++last;

/** The newest name there is. */
export const newestFragment = (): number => last;

const COMMA = 0x2c;

/** The body as one: `head`, the parts, each with its ending and with commas between them, `tail`. */
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
    // So few bytes are copied before a call of `set` has begun.
    for (let each = 0; each < ending.length; each++) body[at++] = ending[each]!;
  }
  body.set(tail, at);
  return body;
}

/** What a list says where there is no link to spare. */
export const wholeList = ({ head, names, fragment, ending, tail, whole }: FragmentList): Buffer => {
  if (whole) return whole(head, tail);
  const parts = names.map((_, at) => fragment(at));
  return joined(head, parts, tail, ending && parts.map((_, at) => endingOf(ending, at)));
};

const endingOf = (ending: NonNullable<FragmentList['ending']>, at: number): Buffer => {
  const room = Buffer.allocUnsafe(ENDING_BYTES_MAX);
  return room.subarray(0, ending(room, 0, at));
};
