// An authorization request held against the session that a store began: pure.
import type { OauthError } from '#runtime/call/call.ts';
import { isChallenge } from './credential.ts';
import { isWithin, readScopes } from './scope.ts';

/** The parameters of the request, each as it came. */
export interface Authorization {
  readonly response_type?: string | undefined;
  readonly client_id?: string | undefined;
  readonly redirect_uri?: string | undefined;
  readonly scope?: string | undefined;
  readonly state?: string | undefined;
  readonly code_challenge?: string | undefined;
  readonly code_challenge_method?: string | undefined;
}

export interface Offered {
  readonly client: string;
  readonly redirect_uri: string;
  readonly scopes: readonly string[];
}

/** `astray`: it may not be told to the address that the request names, which is not the client's. */
export interface AuthorizationFault {
  readonly error: OauthError;
  readonly description: string;
  readonly astray: boolean;
}

export interface Accepted {
  readonly scopes: readonly string[];
  readonly challenge: string;
}

const fault = (error: OauthError, description: string, astray = false): AuthorizationFault => ({
  error,
  description,
  astray,
});

export const isFault = (judged: AuthorizationFault | Accepted): judged is AuthorizationFault => 'error' in judged;

/** Whom it concerns comes first: an error is only sent to an address that is surely the client's. */
export const judge = (asked: Authorization, offered: Offered): AuthorizationFault | Accepted => {
  if (asked.client_id !== offered.client)
    return fault('invalid_request', 'The client_id is not that of this connect session.', true);
  if (asked.redirect_uri !== offered.redirect_uri)
    return fault('invalid_request', 'The redirect_uri is not, letter by letter, that of this connect session.', true);
  if (asked.response_type !== 'code')
    return fault(
      asked.response_type ? 'unsupported_response_type' : 'invalid_request',
      'The response_type must be "code".',
    );
  if (asked.code_challenge_method !== 'S256')
    return fault('invalid_request', 'The code_challenge_method must be "S256".');
  if (!asked.code_challenge || !isChallenge(asked.code_challenge))
    return fault('invalid_request', 'The code_challenge must be the SHA-256 of the verifier in base64url.');
  const scopes = asked.scope ? readScopes(asked.scope) : offered.scopes;
  if (scopes === null || !isWithin(scopes, offered.scopes))
    return fault('invalid_scope', 'The scope holds what the connect session does not name.');
  return { scopes, challenge: asked.code_challenge };
};
