// Gift cards of carts. A code is enough to spend the card, so it is sealed.
import type { SpendableCard } from '#proto/gen/value.ts';
import type { Tenant } from '#runtime/call/call.ts';
import type { Seal } from '#runtime/process/seal.ts';
import { readCode } from '#services/ledger/index.ts';
import { derivedId } from './derived_id.ts';

export interface SealedCard {
  /** Derived from the code. */
  readonly id: string;
  readonly sealed: string;
  readonly last4: string;
}

/** The cart itself refuses a card with an obstacle, after it has looked for the stored answer of a retry. */
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

/** Leaves out cards that were sealed under a master key which no longer exists. */
export const giftCardCodes = (seal: Seal, tenant: Tenant, cards: readonly SealedCard[]): string[] =>
  cards.flatMap(({ sealed }) => {
    try {
      return [seal.open(Buffer.from(sealed, 'base64'), sealContext(tenant))];
    } catch {
      return [];
    }
  });
