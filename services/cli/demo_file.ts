// STOA_HOME/demo.json: the demo shop's address and keys, the wholesale shop's, and those of an operator over both.
import { join } from 'node:path';
import { readJson } from './local/home.ts';
import type { StoreAccess } from './store_access.ts';

export interface DemoFile extends StoreAccess {
  readonly operator_id: string;
  readonly operator_key: string;
  readonly operator_test_key: string;
  readonly wholesale: Omit<StoreAccess, 'base_url'>;
}

export const demoFile = (home: string): string => join(home, 'demo.json');

export const readDemo = (home: string): DemoFile | null => readJson<DemoFile>(demoFile(home));
