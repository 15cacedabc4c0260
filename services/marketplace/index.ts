// The marketplace: what operators do over their merchants, as the host sees it.
import type { Foundation } from '#runtime/door/foundation.ts';
import { openInquiry } from '#runtime/door/inquiry.ts';
import type { Domain } from '#runtime/door/rpc.ts';
import { openMembers } from './member.ts';
import { marketplaceHandlers } from './rpc.ts';

export const marketplace = (foundation: Foundation): Domain => ({
  name: 'marketplace',
  services: { Marketplace: marketplaceHandlers(foundation, openInquiry(foundation), openMembers(foundation)) },
});
