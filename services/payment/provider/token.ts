// Fetches access tokens of providers and caches them until they expire.
import { createHash } from 'node:crypto';
import { LookupCache } from '#runtime/flow/lookup_cache.ts';
import { callProvider, type ProviderAnswer, type ProviderCall } from './http.ts';
import { type ProviderAccount, type ProviderDenial, ProviderFault, ProviderNotReached } from './provider.ts';

const SLACK_MS = 60_000;
const TOKENS_MAX = 5_000;

export interface ProviderTokens {
  /** Throws `ProviderNotReached` if no token can be fetched. */
  of(account: ProviderAccount, timeoutMs: number): Promise<string | ProviderDenial>;
  forget(account: ProviderAccount): void;
}

export interface TokenSource {
  readonly provider: string;
  readonly ask: (account: ProviderAccount) => Omit<ProviderCall, 'provider' | 'timeoutMs'>;
  readonly denied: (answer: ProviderAnswer) => ProviderDenial;
}

interface TokenRequest {
  readonly account: ProviderAccount;
  readonly timeoutMs: number;
}

export const openTokens = ({ provider, ask, denied }: TokenSource): ProviderTokens => {
  const keyOf = ({ environment, credentials }: ProviderAccount): string =>
    createHash('sha256')
      .update(JSON.stringify([environment, credentials]))
      .digest('hex');

  const tokens = new LookupCache<string, string | ProviderDenial, TokenRequest>({
    now: () => performance.now(),
    entriesMax: TOKENS_MAX,
    load: async (_, { account, timeoutMs }) => {
      const answer = await callProvider({ provider, ...ask(account), timeoutMs });
      const { status, json } = answer;
      if (status === 400 || status === 401) return { value: denied(answer), ttlMs: 0 };
      const token = typeof json.access_token === 'string' ? json.access_token : '';
      if (status !== 200 || token === '') throw new ProviderFault(provider, `status ${status} for a token`);
      return { value: token, ttlMs: Number(json.expires_in ?? 0) * 1_000 - SLACK_MS };
    },
  });

  return {
    of: async (account, timeoutMs) => {
      const startedAt = performance.now();
      try {
        const token = await tokens.get(keyOf(account), { account, timeoutMs });
        // The wait is another caller's time-out if the call is shared.
        if (performance.now() - startedAt >= timeoutMs) throw new ProviderFault(provider, 'no token in time');
        return token;
      } catch (problem) {
        throw problem instanceof ProviderFault ? new ProviderNotReached(problem) : problem;
      }
    },
    forget: (account) => tokens.forget(keyOf(account)),
  };
};
