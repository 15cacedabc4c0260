// Gift cards of carts. Carts store the codes sealed, because anyone with a code can spend the card.
import type { SpendableCard } from '#proto/gen/value.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { readCode } from '#services/ledger/index.ts';
import { derivedId } from './derived_id.ts';

export interface SealedCard {
  readonly id: string;
  readonly sealed: string;
  readonly last4: string;
}

/**
 * A card, or the reason why it cannot be added. The cart first looks for the answer that a retry must repeat, and only
 * then refuses.
 */
export type OfferedCard = SealedCard | { readonly obstacle: string };

const sealContext = ({ store, environment }: Tenant): string => `cart/${store}/${environment}`;

export const giftCardId = ({ store, environment }: Tenant, typed: string): string | null => {
  const code = readCode(typed);
  return code === null ? null : derivedId('gift card', store, environment, code);
};

export const offeredCard = (seal: Seal, tenant: Tenant, found: SpendableCard | undefined): OfferedCard => {
  const id = found ? giftCardId(tenant, found.code) : null;
  if (!found || found.reason || id === null)
    return { obstacle: found?.reason ?? 'There is no gift card with this code.' };
  const sealed = Buffer.from(seal.close(found.code, sealContext(tenant))).toString('base64');
  return { id, sealed, last4: found.code_last4 };
};

/** Returns the codes. Leaves out cards sealed under a master key that no longer exists. */
export const giftCardCodes = (seal: Seal, tenant: Tenant, cards: readonly SealedCard[]): string[] =>
  cards.flatMap(({ sealed }) => {
    try {
      return [seal.open(Buffer.from(sealed, 'base64'), sealContext(tenant))];
    } catch {
      return [];
    }
  });
