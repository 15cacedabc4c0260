// Handlers of ConnectDirectory, for the edge, and of ConnectAdmin, for the command line.
import type {
  ConnectAdminRpcs,
  ConnectDirectoryRpcs,
  ConsentRequest,
  ResolveAccessTokenRequest,
} from '#proto/gen/connect.ts';
import { type Call, notFound, refuse } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, read, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { insertClient } from '#services/connect/client.ts';
import type { Consents } from '#services/connect/consent.ts';
import { hashOf, newClientId, newClientSecret } from '#services/connect/credential.ts';
import { INVALID_NAME, isRedirectUri, readClientName } from '#services/connect/registration.ts';
import { findCredential } from '#services/connect/table/credential.ts';
import { recordUse } from '#services/connect/table/grant.ts';

export const directoryHandlers = (
  { ask, clock, log, postgres }: Runtime,
  consents: Consents,
): Handlers<ConnectDirectoryRpcs> => {
  const { askOrThrow } = openDomainClient({ ask });
  return {
    ResolveAccessToken: read(
      async ({ deadline, requestId, trace }: Call, { token_hash }: ResolveAccessTokenRequest) => {
        const found = await findCredential(postgres.sql, 'access', Buffer.from(token_hash, 'hex'));
        if (found === null || found.ended_at !== null || found.grant_ended) return notFound('access token');
        const now = clock.now(found);
        const expires_in_ms = found.expires_at.getTime() - now.getTime();
        if (expires_in_ms <= 0) return notFound('access token');
        // Each edge resolves a token once a minute at most, which bounds these writes.
        recordUse(postgres.sql, found, found.grant_id, now).catch((problem: unknown) =>
          log.debug({ err: problem }, 'failed to record the use of a grant'),
        );
        const { store, environment } = found;
        const asker = { tenant: { store, environment }, deadline, requestId, trace };
        const acting = await askOrThrow('StoreDirectory/ActForStore', asker, { key_id: found.grant_id });
        return { principal: acting.principal, scopes: found.scopes, name: found.client_name, expires_in_ms };
      },
    ),

    ShowConsent: read((_call: Call, input: ConsentRequest) => consents.show(input)),

    DecideConsent: transaction((tx, _call, input) => consents.decide(tx, input)),
  };
};

export const adminHandlers = ({ clock }: Runtime): Handlers<ConnectAdminRpcs> => ({
  CreateClient: transaction(async (tx, _call, { name: given, redirect_uris }) => {
    const name = readClientName(given);
    if (name === null) return refuse('invalid_request', INVALID_NAME, { param: 'name' });
    const wrong = redirect_uris.findIndex((uri) => !isRedirectUri(uri));
    if (wrong >= 0)
      return refuse(
        'invalid_request',
        `${redirect_uris[wrong]} is no redirect URI. Use https, http of a loopback host or an app’s own scheme, without fragment and user.`,
        { param: `redirect_uris[${wrong}]` },
      );
    const [id, secret] = [newClientId(), newClientSecret()];
    await insertClient(tx.sql, {
      id,
      secret_hash: hashOf(secret),
      name,
      redirect_uris: [...new Set(redirect_uris)],
      store: null,
      created_at: new Date(clock.real()),
    });
    return { client_id: id, client_secret: secret };
  }),
});
