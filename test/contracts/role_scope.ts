// Which roles of a staff have which scope, and a call of an endpoint in a session of a role.
import type { Route } from '#proto/route.ts';
import type { StaffRole } from '#services/commerce/staff_role.ts';
import { dashboard, enter, type Member } from '#test/services/staff/client.ts';
import type { Reply, Stoa } from '#test/support/stoa.ts';

const ID = '00000000-0000-7000-8000-000000000000';

/** Roles that have a scope, in the order of refusals; an owner and a manager have all of them, an analyst may read all. */
export const READERS: Readonly<Record<string, readonly StaffRole[]>> = {
  catalog: ['catalogue', 'orders', 'support'],
  orders: ['orders', 'support'],
  customers: ['orders', 'support'],
  payments: ['orders', 'support'],
  promotions: ['catalogue', 'orders', 'support'],
  shipping: ['catalogue', 'orders', 'support'],
  content: ['catalogue', 'support'],
  reviews: ['catalogue', 'support'],
  returns: ['orders', 'support'],
  messaging: ['orders', 'support'],
  mails: ['support'],
  b2b: ['orders', 'support'],
  webhooks: [],
  store: ['catalogue', 'orders', 'support'],
  ingestion: ['catalogue'],
};
export const WRITERS: Readonly<Record<string, readonly StaffRole[]>> = {
  catalog: ['catalogue'],
  orders: ['orders'],
  customers: ['orders', 'support'],
  payments: ['orders'],
  promotions: ['catalogue'],
  shipping: ['orders'],
  content: ['catalogue'],
  reviews: ['support'],
  returns: ['orders', 'support'],
  messaging: ['support'],
  mails: [],
  b2b: ['orders'],
  webhooks: [],
  store: [],
  ingestion: ['catalogue'],
};

export const rolesOf = (scope: string): readonly StaffRole[] => {
  if (scope === '') return ['owner'];
  const [resource = '', use] = scope.split(':');
  return use === 'read'
    ? ['owner', 'manager', ...READERS[resource]!, 'analyst']
    : ['owner', 'manager', ...WRITERS[resource]!];
};

export const ROLES: readonly StaffRole[] = ['owner', 'manager', 'catalogue', 'orders', 'support', 'analyst'];
/** A body that is no JSON: only a caller with access gets the error about it. `query` begins with a question mark. */
export const askAs = async (
  stoa: Stoa,
  { verb, path, access, ends_session }: Route,
  { email, cookie }: Member,
  query = '',
): Promise<Reply> =>
  dashboard(stoa, verb, path.replace(/:slug/g, 'nothing').replace(/:\w+/g, ID) + query, {
    cookie: ends_session ? await enter(stoa, email) : cookie,
    environment: access.key === 'secret_test' ? 'sandbox' : 'production',
    ...(verb === 'GET' || verb === 'DELETE' ? {} : { body: '{' }),
  });

/** Endpoints of shoppers alone answer a role that they admit with 401, for the missing customer session. */
export const ownStatus = ({ access }: Route, status: number): number =>
  status === 401 && access.session === 'customer' ? 400 : status;
