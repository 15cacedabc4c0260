// Refusals with OAuth's error codes (RFC 6749, 4.1.2.1 and 5.2).
import { type OauthError, type Refusal, refuse } from '#runtime/call/call.ts';

export const oauthRefusal = (error: OauthError, description: string): Refusal =>
  refuse(error === 'invalid_client' ? 'unauthorized' : 'invalid_request', description, { oauth: error });
