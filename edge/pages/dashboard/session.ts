// The signed-in staff member, the store or marketplace operator, and the API in the environment that is shown. Screens read them by hooks.
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Formats } from '#edge/pages/design/format.ts';
import {
  type DashboardApi,
  type StaffMember,
  type StaffOperator,
  StoaError,
  type StoreProfile,
} from '#proto/client/dashboard.ts';
import type { DashboardEnvironment } from './address.ts';

export interface DashboardSession {
  /** Null with a key, which stands for no person. */
  readonly staff: StaffMember | null;
  /** Null for staff of a marketplace operator. */
  readonly store: StoreProfile | null;
  /** Null for staff of a store. */
  readonly operator: StaffOperator | null;
}

export interface DashboardContext {
  readonly environment: DashboardEnvironment;
  readonly api: DashboardApi;
  /** For what both environments share, such as people and keys: the API answers it in production alone. */
  readonly sharedApi: DashboardApi;
  /** Headers that name the caller, for calls that the client does not make: files, and the console's tabs. */
  readonly headers: Readonly<Record<string, string>>;
  readonly session: DashboardSession;
  /** Says on a screen of what both environments share that it does. */
  readonly sharedNote?: string | undefined;
  /** Whether such a screen is read with a test key, which changes nothing of it. */
  readonly isReadOnly?: boolean;
  readonly formats: Formats;
  /** Asks to sign in again, over the screen; resolves once that is done. */
  readonly renew: () => Promise<void>;
  /** Reads the store's profile again, after a change of its settings. */
  readonly refreshStore: () => Promise<void>;
  readonly signOut: () => Promise<void>;
}

export const DashboardState = createContext<DashboardContext | null>(null);

export const useDashboard = (): DashboardContext => useContext(DashboardState)!;
export const useApi = (): DashboardApi => useDashboard().api;
export const useFormats = (): Formats => useDashboard().formats;
/** For screens of a store, which staff of an operator do not open. */
export const useStore = (): StoreProfile => useDashboard().session.store!;

/** An operator has no time zone: its screens show times in the reader's. */
export const timezoneOf = ({ store }: DashboardSession): string =>
  store?.timezone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const useTimezone = (): string => timezoneOf(useDashboard().session);

export const employerName = ({ store, operator }: DashboardSession): string => store?.name ?? operator?.name ?? '';

export const isAllowed = ({ staff }: DashboardSession, scope: string | null): boolean => {
  const scopes = staff?.scopes ?? null;
  if (scopes === null || scope === null) return true;
  // The empty scope is that of endpoints which only an owner may call.
  return scope !== '' && scopes.includes(scope);
};

/** Whether the signed-in role has a scope, such as `orders:write`: without it, show no button. */
export const useCan = (): ((scope: string) => boolean) => {
  const { session, isReadOnly = false } = useDashboard();
  return (scope) => (!isReadOnly || scope.endsWith(':read')) && isAllowed(session, scope);
};

/** Whether a test key is signed in, which only reads what both environments share. A person changes it in production. */
export const isTestKey = ({ session, environment }: Pick<DashboardContext, 'session' | 'environment'>): boolean =>
  session.staff === null && environment === 'sandbox';

const isUnauthorized = (problem: unknown): boolean => problem instanceof StoaError && problem.status === 401;

/** Whether a call that every role may make is refused. Another call may be refused for another credential. */
const hasEnded = ({ api, session }: Pick<DashboardContext, 'api' | 'session'>): Promise<boolean> => {
  const asked: Promise<unknown> = session.operator ? api.staff.session.get() : api.store.get({ fields: ['id'] });
  return asked.then(() => false, isUnauthorized);
};

/** Runs calls; after a session that ended, once more when the reader has signed in again. */
export const inSession = async <T>(
  { api, session, renew }: Pick<DashboardContext, 'api' | 'session' | 'renew'>,
  work: () => Promise<T>,
): Promise<T> => {
  try {
    return await work();
  } catch (problem) {
    if (!isUnauthorized(problem) || !(await hasEnded({ api, session }))) throw problem;
    await renew();
    return work();
  }
};

/** Runs single calls, of which a screen makes several: each is sent again once a session that ended is renewed. */
export const useCall = (): (<T>(work: (api: DashboardApi) => Promise<T>) => Promise<T>) => {
  const dashboard = useDashboard();
  return (work) => inSession(dashboard, () => work(dashboard.api));
};
