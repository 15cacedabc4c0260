// The credentials that an endpoint takes, as OpenAPI's alternatives. `components.securitySchemes` describes them.
import type { EndpointShape } from './contract.ts';

/** Names of schemes that a caller needs together. */
type Requirement = Readonly<Record<string, readonly string[]>>;

/** The cookie of a session counts beside the header alone. */
const STAFF_SESSION: Requirement = { StaffSession: [], DashboardEnvironment: [] };

const KEYS: Readonly<Record<EndpointShape['access']['key'], readonly Requirement[]>> = {
  none: [],
  publishable: [{ PublishableKey: [] }, { SecretKey: [] }],
  secret: [{ SecretKey: [] }],
  secret_test: [{ SecretTestKey: [] }],
  operator: [{ OperatorKey: [] }],
  staff: [],
};

export const securityOf = (access: EndpointShape['access']): readonly Requirement[] => [
  ...KEYS[access.key],
  ...(access.key !== 'operator' && (access.merchant || access.operator) ? [{ OperatorKey: [] }] : []),
  // Access tokens belong to stores.
  ...(access.scope === '' || access.key === 'operator' ? [] : [{ AccessToken: [] }]),
  ...(access.key === 'none' ? [] : [STAFF_SESSION]),
];
