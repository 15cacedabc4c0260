// Checks whether a key's type, environment and scopes allow a call of the endpoint.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import type { Principal } from './principal.ts';

const SECRET_NEEDED = refuse('forbidden', 'A secret key is required.', {
  hint: 'Call this endpoint from your server with a secret key (svc_sk_…).',
});
const TEST_NEEDED = refuse('forbidden', 'A secret test key is required.', {
  hint: 'Sandbox tools work with svc_sk_test_… keys only.',
});
const LIVE_NEEDED = refuse('forbidden', 'A live secret key is required.', {
  hint: 'Both environments share this; change it with svc_sk_live_….',
});
const OPERATOR_NEEDED = refuse('forbidden', 'A marketplace operator key is required.', {
  hint: 'Marketplace endpoints take keys of the form svc_mk_….',
});
const STORE_NEEDED = refuse('forbidden', 'A store’s own key is required.', {
  hint: 'An operator key opens the marketplace endpoints.',
});

const WHOLESALE_NEEDED = refuse('forbidden', 'The store does not sell to businesses.', {
  hint: 'PATCH /v1/store with { "wholesale_enabled": true } and a live secret key turns wholesale on.',
});

const FULL_KEY_NEEDED = refuse('forbidden', 'A full API key of the store is required.', {
  hint: 'Neither an access token nor a restricted key opens this endpoint, whatever its scopes.',
});

/** Limits access tokens and restricted keys to their scopes; within them they have the rights of a secret key. */
function checkScope({ scope }: Route['access'], { scopes }: Principal): Refusal | null {
  if (scopes === null || scopes.has(scope)) return null;
  if (scope === '') return FULL_KEY_NEEDED;
  return refuse('forbidden', `The access token or restricted key lacks the scope \`${scope}\`.`, {
    hint: `Ask the store for \`${scope}\`: in a new connect session for a token, by PATCH /v1/keys/{id} for a restricted key.`,
  });
}

export function checkAccess(access: Route['access'], principal: Principal): Refusal | null {
  return (
    checkScope(access, principal) ??
    checkKey(access, principal) ??
    (access.wholesale && !principal.wholesale ? WHOLESALE_NEEDED : null)
  );
}

function checkKey(access: Route['access'], { keyType, tenant, merchants }: Principal): Refusal | null {
  const secret = keyType === 'secret' || (keyType === 'operator' && access.operator);
  switch (access.key) {
    case 'operator':
      return keyType === 'operator' ? null : OPERATOR_NEEDED;
    case 'secret_test':
      return secret && tenant.environment === 'sandbox' ? null : secret ? TEST_NEEDED : SECRET_NEEDED;
    case 'secret':
      if (!secret) return SECRET_NEEDED;
      return access.live_only && tenant.environment === 'sandbox' ? LIVE_NEEDED : null;
    case 'publishable':
      return keyType === 'operator' && merchants !== null ? STORE_NEEDED : null;
    case 'none':
      return null;
  }
}
