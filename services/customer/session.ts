// Generates a session's tokens. Only their hashes are stored.
import { randomBytes, randomUUID } from 'node:crypto';
import type { CustomerSession } from '#proto/gen/customer.ts';
import { sha256 } from '#runtime/process/seal.ts';

const ACCESS_MS = 3_600_000;
const REFRESH_MS = 30 * 86_400_000;
const SECRET_BYTES = 32;

export type TokenKind = 'access' | 'refresh';

export interface Token {
  readonly kind: TokenKind;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

export interface TokenPair {
  readonly access: Token;
  readonly refresh: Token;
  readonly response: CustomerSession;
}

const PREFIX: Readonly<Record<TokenKind, string>> = { access: 'at_', refresh: 'rt_' };

const makeText = (kind: TokenKind): string => `${PREFIX[kind]}${randomBytes(SECRET_BYTES).toString('base64url')}`;

/** Returns when the session's newest tokens were made. */
export const refreshedAt = (expiresAt: Date): Date => new Date(expiresAt.getTime() - REFRESH_MS);

export const newSessionId = (): string => randomUUID();

export const newTokens = (now: Date): TokenPair => {
  const [accessText, refreshText] = [makeText('access'), makeText('refresh')];
  const accessEnd = new Date(now.getTime() + ACCESS_MS);
  return {
    access: { kind: 'access', hash: sha256(accessText), expiresAt: accessEnd },
    refresh: { kind: 'refresh', hash: sha256(refreshText), expiresAt: new Date(now.getTime() + REFRESH_MS) },
    response: { access_token: accessText, refresh_token: refreshText, expires_at: accessEnd.toISOString() },
  };
};

const USER_AGENT_CHARACTERS_MAX = 256;

/** The browser's name as it is stored; null if the store's server did not send it. */
export const deviceOf = (header: string | undefined): string | null =>
  header?.slice(0, USER_AGENT_CHARACTERS_MAX).toWellFormed().trim() || null;
