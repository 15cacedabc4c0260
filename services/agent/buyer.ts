// Who buys, beside their e-mail address: every field there, null where nothing was said.
import type { AgentBuyer, AgentBuyerInput } from '#proto/gen/agent.ts';

export const wholeBuyer = (buyer: AgentBuyerInput | null | undefined): AgentBuyer | null =>
  buyer
    ? { first_name: buyer.first_name ?? null, last_name: buyer.last_name ?? null, phone: buyer.phone ?? null }
    : null;
