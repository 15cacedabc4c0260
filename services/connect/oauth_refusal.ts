// Refusals as OAuth names them (RFC 6749, 4.1.2.1 and 5.2).
import { type OauthError, type Refusal, refuse } from '#runtime/call/call.ts';

/** 401 of a client that cannot be told who it is, else 400. */
export const oauthRefusal = (error: OauthError, description: string): Refusal =>
  refuse(error === 'invalid_client' ? 'unauthorized' : 'invalid_request', description, { oauth: error });
