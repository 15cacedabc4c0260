// Addresses by which the readers of a mail unsubscribe from marketing, without signing in.
import type { Tenant } from '#runtime/call/call.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { UNSUBSCRIBE_PATH } from '#services/commerce/public_path.ts';

export interface Subscriber extends Tenant {
  readonly email: string;
}

const CONTEXT = 'mail unsubscription';

/** The token names the tenant and the address; only this system can make or read one. */
export const unsubscribeToken = ({ seal }: Pick<Runtime, 'seal'>, { store, environment }: Tenant, email: string) =>
  Buffer.from(seal.close(JSON.stringify([store, environment, email]), CONTEXT)).toString('base64url');

export const unsubscribeUrl = (
  runtime: Pick<Runtime, 'seal'> & { readonly settings: Pick<Runtime['settings'], 'publicUrl'> },
  tenant: Tenant,
  email: string,
): string => `${runtime.settings.publicUrl}${UNSUBSCRIBE_PATH}/${unsubscribeToken(runtime, tenant, email)}`;

/** Returns null for a text that is no token of this system. */
export const readUnsubscribeToken = ({ seal }: Pick<Runtime, 'seal'>, token: string): Subscriber | null => {
  try {
    const [store, environment, email] = JSON.parse(seal.open(Buffer.from(token, 'base64url'), CONTEXT));
    return { store, environment, email };
  } catch {
    return null;
  }
};
