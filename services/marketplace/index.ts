// The marketplace: what operators do over their merchants, as the host sees it.
import type { Foundation } from '#runtime/foundation.ts';
import type { Domain } from '#runtime/rpc.ts';
import { openMembers } from './member.ts';
import { marketplaceHandlers } from './rpc.ts';

export const marketplace = (foundation: Foundation): Domain => ({
  name: 'marketplace',
  services: { Marketplace: marketplaceHandlers(openMembers(foundation)) },
});
