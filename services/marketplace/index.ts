// The marketplace domain: an operator's curated sections, and shoppers across its merchants.

import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Domain } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { openMembers } from './member.ts';
import { marketplaceHandlers } from './rpc.ts';

export const marketplace = (runtime: Runtime): Domain => ({
  name: 'marketplace',
  services: { Marketplace: marketplaceHandlers(runtime, openDomainClient(runtime), openMembers(runtime)) },
});
