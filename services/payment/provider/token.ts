// Fetches access tokens of providers and caches them until they expire.
import { createHash } from 'node:crypto';
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

export const openTokens = ({ provider, ask, denied }: TokenSource): ProviderTokens => {
  const tokens = new Map<string, { readonly token: string; readonly until: number }>();
  const keyOf = ({ environment, credentials }: ProviderAccount): string =>
    createHash('sha256')
      .update(JSON.stringify([environment, credentials]))
      .digest('hex');

  const fetched = async (account: ProviderAccount, timeoutMs: number): Promise<string | ProviderDenial> => {
    const answer = await callProvider({ provider, ...ask(account), timeoutMs });
    const { status, json } = answer;
    if (status === 400 || status === 401) return denied(answer);
    const token = typeof json.access_token === 'string' ? json.access_token : '';
    if (status !== 200 || token === '') throw new ProviderFault(provider, `status ${status} for a token`);
    if (tokens.size >= TOKENS_MAX) tokens.clear();
    const until = performance.now() + Number(json.expires_in ?? 0) * 1_000 - SLACK_MS;
    tokens.set(keyOf(account), { token, until });
    return token;
  };

  return {
    of: async (account, timeoutMs) => {
      const known = tokens.get(keyOf(account));
      if (known && known.until > performance.now()) return known.token;
      try {
        return await fetched(account, timeoutMs);
      } catch (problem) {
        throw problem instanceof ProviderFault ? new ProviderNotReached(problem) : problem;
      }
    },
    forget: (account) => void tokens.delete(keyOf(account)),
  };
};
