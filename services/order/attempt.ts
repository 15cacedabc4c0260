// An attempt at an order: the name under which its stock is held, made from the call's idempotency key, so that a retry
// after a crash finds what the first try held. One that was decided against is over; the next one has another name.
import { derivedId } from '#runtime/process/derived_id.ts';

export const ATTEMPTS_MAX = 8;

export const attemptOf = (commandId: string, count: number): string => derivedId(commandId, `attempt ${count}`);
