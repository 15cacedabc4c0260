// Handlers of Connect for OAuth clients, which send their credentials instead of an API key.
import type {
  ConnectRpcs,
  IssueTokenRequest,
  RevokeTokenRequest,
  ValidateAuthorizationRequest,
} from '#proto/gen/connect.ts';
import { type Call, Refusal } from '#runtime/call/call.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { checkAuthorization, isFault } from '#services/connect/authorization.ts';
import { oauthRefusal, readForm } from '#services/connect/form.ts';
import { pendingSessionsOf } from '#services/connect/table/session.ts';
import type { AccessTokens } from '#services/connect/token.ts';

type OauthRpc = 'ValidateAuthorization' | 'IssueToken' | 'RevokeToken';

const SESSIONS_CHECKED_MAX = 100;

const NO_SESSION = oauthRefusal('invalid_request', 'No pending connect session has this client_id and redirect_uri.');

export const oauthHandlers = (
  { ask, clock, postgres }: Runtime,
  tokens: AccessTokens,
): Pick<Handlers<ConnectRpcs>, OauthRpc> => {
  const { askOrThrow } = openDomainClient({ ask });
  return {
    ValidateAuthorization: read(async (call: Call, input: ValidateAuthorizationRequest) => {
      const request = readForm(call, input);
      if (request instanceof Refusal) return request;
      const { client_id = '', redirect_uri = '' } = request;
      // Sandbox clocks are never behind the real clock, so sessions that have expired by the real clock have expired
      // everywhere.
      const real = new Date(clock.real());
      const pending = await pendingSessionsOf(postgres.sql, client_id, redirect_uri, real, SESSIONS_CHECKED_MAX);
      const checked = pending
        .filter((session) => session.expires_at > clock.now(session))
        .map((session) => ({ session, verdict: checkAuthorization(request, session) }));
      const found = checked.find((each) => !isFault(each.verdict)) ?? checked[0];
      if (found === undefined) return NO_SESSION;
      const { session, verdict } = found;
      if (isFault(verdict)) return oauthRefusal(verdict.error, verdict.description);
      const { deadline, requestId, trace } = call;
      const asker = { tenant: session, deadline, requestId, trace };
      const profile = await askOrThrow('StoreDirectory/GetProfile', asker, { store: session.store });
      return { valid: true, client_name: session.client_name, store_name: profile.name, scopes: verdict.scopes };
    }),

    // Declared as a read, because the host rolls back the transaction of a refused call. A second use of a code is
    // refused and must still revoke the grant.
    IssueToken: read(async (call: Call, input: IssueTokenRequest) => {
      const request = readForm(call, input);
      return request instanceof Refusal ? request : tokens.issue(request);
    }),

    RevokeToken: read(async (call: Call, input: RevokeTokenRequest) => {
      const request = readForm(call, input);
      if (!(request instanceof Refusal)) await tokens.revoke(request);
      return {};
    }),
  };
};
