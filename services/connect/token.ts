// Exchanges codes and refresh tokens for new tokens. A second use of a code or refresh token revokes the grant.
import type { IssueTokenRequest, IssueTokenResponse, RevokeTokenRequest } from '#proto/gen/connect.ts';
import { Refusal, type Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { isWithin, readScopes } from '#services/commerce/scope.ts';
import type { ClientRecord } from './client.ts';
import { authenticateClient } from './client.ts';
import { hashOf, isVerifier, newAccessToken, newRefreshToken } from './credential.ts';
import { oauthRefusal } from './form.ts';
import { endCredential, type FoundCredential, findCredential, insertCredentials } from './table/credential.ts';
import { endGrant } from './table/grant.ts';

const ACCESS_S = 3_600;
const REFRESH_MS = 90 * 86_400_000;

export interface AccessTokens {
  issue(input: IssueTokenRequest): Promise<IssueTokenResponse | Refusal>;
  /**
   * Revokes a token; ignores unknown ones (RFC 7009). An authenticated client can revoke only tokens issued to it;
   * without client credentials, possession of the token is enough.
   */
  revoke(input: RevokeTokenRequest): Promise<void>;
}

/** A refusal returned after a commit: a rollback would undo the revocation of the grant. */
interface CommittedRefusal {
  readonly refused: Refusal;
}

const tenantOf = ({ store, environment }: FoundCredential): Tenant => ({ store, environment });

const INVALID_CODE = oauthRefusal(
  'invalid_grant',
  'The code is unknown, used or expired. Start the authorization again.',
);
const INVALID_REFRESH_TOKEN = oauthRefusal(
  'invalid_grant',
  'The refresh token is unknown, used or expired. Start the authorization again.',
);

export const openTokens = ({ postgres, notices }: Pick<Runtime, 'postgres' | 'notices'>): AccessTokens => {
  const revokeGrant = async (tx: Transaction, credential: FoundCredential, now: Date): Promise<void> => {
    const tenant = tenantOf(credential);
    await endGrant(tx.sql, tenant, credential.grant_id, now);
    tx.afterCommit(() => notices.publish({ kind: 'store', tenant }));
  };

  const issueTokens = async (
    tx: Transaction,
    { store, environment, grant_id }: FoundCredential,
    granted: readonly string[],
    scopes: readonly string[],
    now: Date,
  ): Promise<IssueTokenResponse> => {
    const [access, refresh] = [newAccessToken(environment), newRefreshToken(environment)];
    const credential = { grant_id, redirect_uri: null, challenge: null, created_at: now, ended_at: null };
    const until = (ms: number): Date => new Date(now.getTime() + ms);
    await insertCredentials(tx.sql, { store, environment }, [
      { ...credential, kind: 'access', hash: hashOf(access), scopes, expires_at: until(ACCESS_S * 1_000) },
      { ...credential, kind: 'refresh', hash: hashOf(refresh), scopes: granted, expires_at: until(REFRESH_MS) },
    ]);
    return {
      access_token: access,
      token_type: 'Bearer',
      expires_in: ACCESS_S,
      refresh_token: refresh,
      scope: scopes.join(' '),
      store_id: store,
    };
  };

  const exchange = async (
    tx: Transaction,
    client: ClientRecord,
    { code, redirect_uri, code_verifier }: IssueTokenRequest,
  ): Promise<IssueTokenResponse | CommittedRefusal | Refusal> => {
    if (!code) return oauthRefusal('invalid_request', 'The code is required.');
    if (!code_verifier) return oauthRefusal('invalid_request', 'The code_verifier is required.');
    const found = await findCredential(tx.sql, 'code', hashOf(code), true);
    if (found === null || found.client !== client.id) return INVALID_CODE;
    const now = tx.clock.now(tenantOf(found));
    if (found.ended_at !== null) {
      await revokeGrant(tx, found, now);
      return { refused: INVALID_CODE };
    }
    if (found.grant_ended || found.expires_at <= now) return INVALID_CODE;
    if (redirect_uri !== found.redirect_uri)
      return oauthRefusal('invalid_grant', 'The redirect_uri must equal that of the authorization request.');
    if (!isVerifier(code_verifier, found.challenge ?? ''))
      return oauthRefusal('invalid_grant', 'The code_verifier does not match the code_challenge.');
    await endCredential(tx.sql, found.hash, now);
    return issueTokens(tx, found, found.scopes, found.scopes, now);
  };

  const refresh = async (
    tx: Transaction,
    client: ClientRecord,
    { refresh_token, scope }: IssueTokenRequest,
  ): Promise<IssueTokenResponse | CommittedRefusal | Refusal> => {
    if (!refresh_token) return oauthRefusal('invalid_request', 'The refresh_token is required.');
    const found = await findCredential(tx.sql, 'refresh', hashOf(refresh_token), true);
    if (found === null || found.client !== client.id) return INVALID_REFRESH_TOKEN;
    const now = tx.clock.now(tenantOf(found));
    if (found.ended_at !== null) {
      await revokeGrant(tx, found, now);
      return { refused: INVALID_REFRESH_TOKEN };
    }
    if (found.grant_ended || found.expires_at <= now) return INVALID_REFRESH_TOKEN;
    const scopes = scope ? readScopes(scope) : found.scopes;
    if (scopes === null || !isWithin(scopes, found.scopes))
      return oauthRefusal(
        'invalid_scope',
        `The scope "${scope ?? ''}" exceeds the granted one: ${found.scopes.join(' ')}.`,
      );
    await endCredential(tx.sql, found.hash, now);
    return issueTokens(tx, found, found.scopes, scopes, now);
  };

  return {
    async issue(input) {
      const client = await authenticateClient(postgres.sql, input);
      if (client instanceof Refusal) return client;
      const { grant_type } = input;
      if (!grant_type) return oauthRefusal('invalid_request', 'The grant_type is required.');
      if (grant_type !== 'authorization_code' && grant_type !== 'refresh_token')
        return oauthRefusal(
          'unsupported_grant_type',
          `The grant_type ${grant_type} is not supported. Use authorization_code or refresh_token.`,
        );
      const outcome = await postgres.transaction((tx) =>
        grant_type === 'refresh_token' ? refresh(tx, client, input) : exchange(tx, client, input),
      );
      return 'refused' in outcome ? outcome.refused : outcome;
    },

    async revoke(input) {
      const { token, client_id, client_secret, authorization } = input;
      if (!token) return;
      const named = Boolean(client_id || client_secret || authorization);
      const client = named ? await authenticateClient(postgres.sql, input) : null;
      if (client instanceof Refusal) return;
      const hash = hashOf(token);
      await postgres.transaction(async (tx) => {
        const found =
          (await findCredential(tx.sql, 'refresh', hash, true)) ?? (await findCredential(tx.sql, 'access', hash, true));
        if (found === null || (client !== null && found.client !== client.id)) return;
        const tenant = tenantOf(found);
        const now = tx.clock.now(tenant);
        if (found.kind === 'refresh') return revokeGrant(tx, found, now);
        await endCredential(tx.sql, hash, now);
        tx.afterCommit(() => notices.publish({ kind: 'store', tenant }));
      });
    },
  };
};
