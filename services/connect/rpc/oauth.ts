// The door of connect for OAuth clients, which have no key: their credentials are in what they send.
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
import { isFault, judge } from '#services/connect/authorization.ts';
import { readForm } from '#services/connect/form.ts';
import { oauthRefusal } from '#services/connect/oauth_refusal.ts';
import { pendingSessions } from '#services/connect/table/session.ts';
import type { AccessTokens } from '#services/connect/token.ts';

type Handled = 'ValidateAuthorization' | 'IssueToken' | 'RevokeToken';

/** Of one client's sessions, which may wait at many stores at once. */
const SESSIONS_MAX = 100;

const UNKNOWN = oauthRefusal('invalid_request', 'No connect session waits for this client_id and redirect_uri.');

export const oauthHandlers = (
  { ask, clock, postgres }: Runtime,
  tokens: AccessTokens,
): Pick<Handlers<ConnectRpcs>, Handled> => {
  const { askOrThrow } = openDomainClient({ ask });
  return {
    ValidateAuthorization: read(async (call: Call, input: ValidateAuthorizationRequest) => {
      const asked = readForm(call, input);
      if (asked instanceof Refusal) return asked;
      const { client_id = '', redirect_uri = '' } = asked;
      // No tenant's clock is behind the real one: what is over by that is over.
      const real = new Date(clock.real());
      const pending = await pendingSessions(postgres.sql, client_id, redirect_uri, real, SESSIONS_MAX);
      const judged = pending
        .filter((session) => session.expires_at > clock.now(session))
        .map((session) => ({ session, verdict: judge(asked, session) }));
      const found = judged.find((each) => !isFault(each.verdict)) ?? judged[0];
      if (found === undefined) return UNKNOWN;
      const { session, verdict } = found;
      if (isFault(verdict)) return oauthRefusal(verdict.error, verdict.description);
      const { deadline, requestId, trace } = call;
      const asker = { tenant: session, deadline, requestId, trace };
      const profile = await askOrThrow('StoreDirectory/GetProfile', asker, { store: session.store });
      return { valid: true, client_name: session.client_name, store_name: profile.name, scopes: verdict.scopes };
    }),

    // Not one transaction of the host's: what is used twice is refused, and yet ends what it gave.
    IssueToken: read(async (call: Call, input: IssueTokenRequest) => {
      const asked = readForm(call, input);
      return asked instanceof Refusal ? asked : tokens.issue(asked);
    }),

    RevokeToken: read(async (call: Call, input: RevokeTokenRequest) => {
      const asked = readForm(call, input);
      if (!(asked instanceof Refusal)) await tokens.revoke(asked);
      return {};
    }),
  };
};
