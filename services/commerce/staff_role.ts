// Roles of a store's staff: the scopes that each has, and which roles have a scope.
import { RESOURCES } from './scope.ts';

export const ROLES = ['owner', 'manager', 'catalogue', 'orders', 'support', 'analyst'] as const;

export type StaffRole = (typeof ROLES)[number];

type Resource = (typeof RESOURCES)[number];

interface Rights {
  readonly reads: readonly Resource[];
  readonly writes: readonly Resource[];
}

/** Roles that do not have everything. A resource that a role writes is also read. */
const RIGHTS: Readonly<Record<Exclude<StaffRole, 'owner'>, Rights>> = {
  manager: { reads: [], writes: RESOURCES },
  catalogue: {
    reads: ['reviews', 'shipping', 'store'],
    writes: ['catalog', 'promotions', 'content', 'ingestion'],
  },
  orders: {
    reads: ['catalog', 'promotions', 'messaging', 'store'],
    writes: ['orders', 'customers', 'payments', 'shipping', 'returns', 'b2b'],
  },
  support: {
    reads: ['catalog', 'orders', 'payments', 'promotions', 'shipping', 'content', 'mails', 'b2b', 'store'],
    writes: ['customers', 'reviews', 'returns', 'messaging'],
  },
  analyst: { reads: RESOURCES, writes: [] },
};

const scopesIn = ({ reads, writes }: Rights): readonly string[] => [
  ...[...new Set([...reads, ...writes])].map((resource) => `${resource}:read`),
  ...writes.map((resource) => `${resource}:write`),
];

const SCOPES: Readonly<Record<StaffRole, readonly string[] | null>> = {
  owner: null,
  manager: scopesIn(RIGHTS.manager),
  catalogue: scopesIn(RIGHTS.catalogue),
  orders: scopesIn(RIGHTS.orders),
  support: scopesIn(RIGHTS.support),
  analyst: scopesIn(RIGHTS.analyst),
};

/** Null stands for everything that a secret key may do. */
export const scopesOf = (role: StaffRole): readonly string[] | null => SCOPES[role];

/** Returns the roles that have a scope; an endpoint without a scope (`''`) is an owner's alone. */
export const rolesWith = (scope: string): readonly StaffRole[] =>
  ROLES.filter((role) => SCOPES[role]?.includes(scope) ?? true);
