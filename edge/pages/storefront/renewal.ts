// Renews a shopper's session at the shop's own server. Only a refusal of the session itself ends it: a server that is busy or
// cannot be reached leaves the shopper signed in.
import type { SessionTokens } from '#proto/client/storefront.ts';
import { ShopRefusal } from './refusal.ts';

/** The session of the shopper who is signed in. */
export interface StoredSession extends SessionTokens {
  readonly email: string;
}

/** Asks the shop's own server; throws `ShopRefused` with the status where it refuses. */
type AskServer = <T>(what: string, body: Readonly<Record<string, string>>) => Promise<T>;

/** A refresh token that is malformed, spent, forbidden or unknown to the server. */
const SESSION_ENDED_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Returns the next session of a spent one; null: the shopper has to sign in again. Throws where the server cannot say. */
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
