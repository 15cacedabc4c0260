// Checks whether a key's type, environment and scopes allow a call of the endpoint.
import type { Route } from '#proto/route.ts';
import { type Refusal, refuse } from '#runtime/call/call.ts';
import { rolesWith } from '#services/commerce/staff_role.ts';
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
const LIVE_OPERATOR_NEEDED = refuse('forbidden', 'A live operator key is required.', {
  hint: 'Both environments share this; change it with svc_mk_live_….',
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

const STAFF_NEEDED = refuse('forbidden', 'A staff session is required.', {
  hint: 'Sign in to the dashboard; no API key opens this endpoint.',
});
const PRODUCTION_NEEDED = refuse('forbidden', 'The header X-Stoa-Dashboard must be `production`.', {
  hint: 'Both environments share this; change it with `X-Stoa-Dashboard: production`.',
});

const SANDBOX_NEEDED = refuse('forbidden', 'The header X-Stoa-Dashboard must be `sandbox`.', {
  hint: 'Sandbox tools work with `X-Stoa-Dashboard: sandbox` only.',
});

const withCommas = (roles: readonly string[]): string => roles.join(', ').replace(/, ([^,]*)$/, ' and $1');

function roleRefusal(role: string, scope: string): Refusal {
  const able = rolesWith(scope);
  return refuse(
    'forbidden',
    scope === '' ? `The role ${role} may not call this endpoint.` : `The role ${role} lacks the scope \`${scope}\`.`,
    {
      hint: `${able.length === 1 ? `Only the role ${able[0]} has it` : `The roles ${withCommas(able)} have it`}. An owner of the store can change your role.`,
    },
  );
}

/**
 * Limits access tokens, restricted keys and roles to their scopes; within them they have the rights of a secret key, or of
 * an operator's key.
 */
function checkScope({ scope, key }: Route['access'], { scopes, role, keyType }: Principal): Refusal | null {
  if (scopes === null || scopes.has(scope) || (key === 'staff' && role !== null)) return null;
  // No scope opens an operator's endpoint to a store.
  if (key === 'operator' && keyType !== 'operator') return null;
  if (role !== null) return roleRefusal(role, scope);
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

function checkLive({ live_only }: Route['access'], { keyType, tenant, role }: Principal): Refusal | null {
  if (!live_only || tenant.environment === 'production') return null;
  if (role !== null) return PRODUCTION_NEEDED;
  return keyType === 'operator' ? LIVE_OPERATOR_NEEDED : LIVE_NEEDED;
}

function checkKey(access: Route['access'], principal: Principal): Refusal | null {
  const { keyType, tenant, merchants, role } = principal;
  const secret = keyType === 'secret' || (keyType === 'operator' && access.operator);
  switch (access.key) {
    case 'operator':
      return keyType === 'operator' ? checkLive(access, principal) : OPERATOR_NEEDED;
    case 'secret_test':
      if (!secret) return SECRET_NEEDED;
      if (tenant.environment === 'sandbox') return null;
      return role === null ? TEST_NEEDED : SANDBOX_NEEDED;
    case 'secret':
      return secret ? checkLive(access, principal) : SECRET_NEEDED;
    case 'staff':
      return role === null ? STAFF_NEEDED : null;
    case 'publishable':
      return keyType === 'operator' && merchants !== null && !access.operator ? STORE_NEEDED : null;
    case 'none':
      return null;
  }
}
