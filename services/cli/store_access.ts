// A store's keys and secrets: shown once for a new store, and stored in STOA_HOME/demo.json for the demo.

import { join } from 'node:path';
import type { CreateStoreRequest } from '#proto/gen/store_admin.ts';
import type { Admin } from './admin.ts';
import type { DemoStaff } from './demo/staff.ts';
import { readJson } from './local/home.ts';

/** A home from before there was a dashboard lacks the staff accounts until its next start. */
export interface DemoFile extends StoreAccess, Partial<DemoStaff> {
  readonly operator_id: string;
  readonly operator_key: string;
  readonly operator_test_key: string;
  readonly wholesale: Omit<StoreAccess, 'base_url'> & Partial<DemoStaff>;
  /** Staff of the operator. */
  readonly marketplace?: DemoStaff;
}

export const demoFile = (home: string): string => join(home, 'demo.json');

export const readDemo = (home: string): DemoFile | null => readJson<DemoFile>(demoFile(home));

export interface StoreAccess {
  readonly base_url: string;
  readonly store_id: string;
  readonly code: string;
  readonly secret_key: string;
  readonly publishable_key: string;
  readonly secret_test_key: string;
  readonly publishable_test_key: string;
  readonly hmac_secret: string;
  readonly hmac_test_secret: string;
}

export const createStore = async (admin: Admin, baseUrl: string, request: CreateStoreRequest): Promise<StoreAccess> => {
  const made = await admin.call('CreateStore', request);
  return {
    base_url: baseUrl,
    store_id: made.store_id,
    code: made.code,
    secret_key: made.secret_key,
    publishable_key: made.publishable_key,
    secret_test_key: made.secret_test_key,
    publishable_test_key: made.publishable_test_key,
    hmac_secret: made.hmac_secret,
    hmac_test_secret: made.hmac_test_secret,
  };
};
