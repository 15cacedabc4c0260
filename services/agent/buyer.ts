// The buyer without the e-mail address: every field present, null if unknown.
import type { AgentBuyer, AgentBuyerInput } from '#proto/gen/agent.ts';

export const wholeBuyer = (buyer: AgentBuyerInput | null | undefined): AgentBuyer | null =>
  buyer
    ? { first_name: buyer.first_name ?? null, last_name: buyer.last_name ?? null, phone: buyer.phone ?? null }
    : null;
