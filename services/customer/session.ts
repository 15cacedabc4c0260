// The tokens of a session: made here, told once, kept as digests.
import { randomBytes, randomUUID } from 'node:crypto';
import type { CustomerSession } from '#proto/gen/customer.ts';
import { sha256 } from '#runtime/process/seal.ts';

/** "Default lifetime 1 hour." */
const ACCESS_MS = 3_600_000;
/** "Refresh tokens live 30 days." */
const REFRESH_MS = 30 * 86_400_000;
const SECRET_BYTES = 32;

export type TokenKind = 'access' | 'refresh';

export interface Token {
  readonly kind: TokenKind;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

/** A new pair of tokens: what is stored of them, and what their owner is told. */
export interface TokenPair {
  readonly access: Token;
  readonly refresh: Token;
  readonly told: CustomerSession;
}

const PREFIX: Readonly<Record<TokenKind, string>> = { access: 'at_', refresh: 'rt_' };

const makeText = (kind: TokenKind): string => `${PREFIX[kind]}${randomBytes(SECRET_BYTES).toString('base64url')}`;

export const newSessionId = (): string => randomUUID();

export const makeTokens = (now: Date): TokenPair => {
  const [accessText, refreshText] = [makeText('access'), makeText('refresh')];
  const accessEnd = new Date(now.getTime() + ACCESS_MS);
  return {
    access: { kind: 'access', hash: sha256(accessText), expiresAt: accessEnd },
    refresh: { kind: 'refresh', hash: sha256(refreshText), expiresAt: new Date(now.getTime() + REFRESH_MS) },
    told: { access_token: accessText, refresh_token: refreshText, expires_at: accessEnd.toISOString() },
  };
};
