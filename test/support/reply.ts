// A reply that a test expects to be an answer: a refusal fails the test with its own words.
import { Refusal } from '#runtime/call/call.ts';

export const ok = <T>(reply: T | Refusal): T => {
  if (reply instanceof Refusal) throw new Error(`${reply.code}: ${reply.message} ${reply.extra.details ?? ''}`);
  return reply;
};
