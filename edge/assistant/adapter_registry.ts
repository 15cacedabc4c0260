// Lists the adapters of all assistant protocols.

import { acpAdapter } from './acp/adapter.ts';
import type { Adapter } from './adapter.ts';
import { mcpAdapter } from './mcp/adapter.ts';
import { ucpAdapter } from './ucp/adapter.ts';

export const ADAPTERS: readonly Adapter[] = [acpAdapter, mcpAdapter, ucpAdapter];
