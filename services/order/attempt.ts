// An attempt at an order: the name under which its stock is held, made from the call's idempotency key, so that a retry
// after a crash finds what the first try held. One that was decided against is over; the next one has another name.
import { sha256 } from '#runtime/process/seal.ts';

export const ATTEMPTS_MAX = 8;

/** A UUID (version 8: of one's own making). */
export const attemptOf = (commandId: string, count: number): string => derive(commandId, `attempt ${count}`);

/** The same for the same parts, in the shape of a UUID. */
export const derive = (...parts: readonly string[]): string => {
  const hex = sha256(JSON.stringify(parts)).toString('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
