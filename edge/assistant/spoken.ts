// Every protocol that stores speak with assistants.
import type { Adapter } from './adapter.ts';

export const ADAPTERS: readonly Adapter[] = [];
