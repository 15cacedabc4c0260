// Finds whom staff work for: a store, or a marketplace operator, whose id stands where a store's does.
import type { StaffSignedIn } from '#proto/gen/staff_session.ts';
import type { GetProfileResponse } from '#proto/gen/store_directory.ts';
import { type Call, notFound, Refusal } from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { openDomainClient } from '#runtime/domain/domain_client.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { storeDocument } from './document.ts';

export interface Employer extends Pick<GetProfileResponse, 'id' | 'name'> {
  readonly contact_email: string | null;
  /** Shown to those who are signed in; one of both is null. */
  readonly shown: Pick<StaffSignedIn, 'store' | 'operator'>;
}

export interface Employers {
  /** Finds a store by its id or code, or an operator by its id. */
  find(call: Call, named: string): Promise<Employer | Refusal>;
  /** Reads the employer of an account that exists. */
  read(call: Call, id: string): Promise<Employer>;
}

const NO_EMPLOYER = notFound('store', 'store');

export const openEmployers = (runtime: Runtime): Employers => {
  const { ask } = openDomainClient(runtime);
  const find: Employers['find'] = async (call, named) => {
    const profile = await ask('StoreDirectory/GetProfile', call, { store: named });
    if (!(profile instanceof Refusal)) {
      const { id, name, contact_email } = profile;
      return { id, name, contact_email, shown: { store: storeDocument(profile), operator: null } };
    }
    const operator = await ask('StoreDirectory/GetOperator', call, { operator_id: named.toLowerCase() });
    if (operator instanceof Refusal) return NO_EMPLOYER;
    return { ...operator, contact_email: null, shown: { store: null, operator } };
  };
  return {
    find,
    read: async (call, id) => {
      const found = await find(call, id);
      if (found instanceof Refusal) throw new Unavailable(`staff of ${id}: ${found.message}`);
      return found;
    },
  };
};
