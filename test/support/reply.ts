// Returns the answer from a reply. If the reply is a refusal, fails the test with the refusal's message.
import { Refusal } from '#runtime/call/call.ts';

export const ok = <T>(reply: T | Refusal): T => {
  if (reply instanceof Refusal) throw new Error(`${reply.code}: ${reply.message} ${reply.extra.details ?? ''}`);
  return reply;
};
