// Checks an OAuth authorization request against the connect session that a store created.
import type { OauthError } from '#runtime/call/call.ts';
import { isWithin, readScopes } from '#services/commerce/scope.ts';
import { isChallenge } from './credential.ts';

export interface AuthorizationParameters {
  readonly response_type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
}

export interface SessionOffer {
  readonly client: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
}

/**
 * `unverifiedRedirect` says that the request's redirect_uri is not the registered one, so the error must not be sent
 * there.
 */
export interface AuthorizationFault {
  readonly error: OauthError;
  readonly description: string;
  readonly unverifiedRedirect: boolean;
}

export interface AcceptedAuthorization {
  readonly scopes: readonly string[];
  readonly challenge: string;
}

const fault = (error: OauthError, description: string, unverifiedRedirect = false): AuthorizationFault => ({
  error,
  description,
  unverifiedRedirect,
});

export const isFault = (verdict: AuthorizationFault | AcceptedAuthorization): verdict is AuthorizationFault =>
  'error' in verdict;

/** Client and redirect_uri are checked first, because all later errors are sent to the redirect_uri. */
export const checkAuthorization = (
  request: AuthorizationParameters,
  offered: SessionOffer,
): AuthorizationFault | AcceptedAuthorization => {
  if (request.client_id !== offered.client)
    return fault(
      'invalid_request',
      `The client_id ${request.client_id ?? ''} is not that of this connect session.`,
      true,
    );
  if (request.redirect_uri !== offered.redirect_uri)
    return fault(
      'invalid_request',
      'The redirect_uri must equal that of this connect session character by character.',
      true,
    );
  if (request.response_type !== 'code')
    return fault(
      request.response_type ? 'unsupported_response_type' : 'invalid_request',
      'The response_type must be "code".',
    );
  if (request.code_challenge_method !== 'S256')
    return fault('invalid_request', 'The code_challenge_method must be "S256".');
  if (!request.code_challenge || !isChallenge(request.code_challenge))
    return fault('invalid_request', 'The code_challenge must be the SHA-256 of the verifier in base64url.');
  const scopes = request.scope ? readScopes(request.scope) : offered.scopes;
  if (scopes === null || !isWithin(scopes, offered.scopes))
    return fault(
      'invalid_scope',
      `The scope "${request.scope ?? ''}" exceeds the connect session's: ${offered.scopes.join(' ')}.`,
    );
  return { scopes, challenge: request.code_challenge };
};
