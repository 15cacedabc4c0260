// Renews a shopper's session at the shop's server. Only a refusal of the session ends it; if the server is busy or
// unreachable, the shopper stays signed in.
import type { SessionTokens } from '#proto/client/storefront.ts';
import { ShopRefusal } from './refusal.ts';

export interface StoredSession extends SessionTokens {
  readonly email: string;
}

type AskServer = <T>(what: string, body: Readonly<Record<string, string>>) => Promise<T>;

/** Statuses for a refresh token that is malformed, used, forbidden or unknown. */
const SESSION_ENDED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Returns the session; null if the shopper must sign in again. Throws if the server is busy or unreachable. */
export const renewStoredSession = async (
  known: StoredSession | null,
  ask: AskServer,
  store: (session: StoredSession | null) => void,
): Promise<SessionTokens | null> => {
  if (!known?.refresh_token) return null;
  try {
    const { session } = await ask<{ session: SessionTokens }>('renew', { refresh_token: known.refresh_token });
    store({ ...session, email: known.email });
    return session;
  } catch (problem) {
    if (!(problem instanceof ShopRefusal && SESSION_ENDED_STATUSES.has(problem.status))) throw problem;
    store(null);
    return null;
  }
};
