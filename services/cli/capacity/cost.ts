// Measured costs of each kind of request; `npm run bench -- cost` writes the table.
import table from './costs.json' with { type: 'json' };

/** Kinds of requests. The last two bypass the edge's cache. */
export type RequestKind =
  | 'list'
  | 'detail'
  | 'search'
  | 'pricing'
  | 'shipping'
  | 'cart'
  | 'order'
  | 'list_uncached'
  | 'detail_uncached';

/**
 * Microseconds of one processor core per request, bytes in the database, and requests per second that were measured.
 */
export interface RequestCost {
  readonly edge_us: number;
  readonly services_us: number;
  readonly nats_us: number;
  readonly postgres_us: number;
  readonly postgres_bytes: number;
  readonly per_second: number;
}

export interface CostTable {
  readonly machine: { readonly processor: string; readonly cores: number };
  readonly at: string;
  readonly made_by: string;
  readonly memory: {
    /** MB of an idle process. */
    readonly edge_mb: number;
    readonly services_mb: number;
    /** kB per product in a host's memory. */
    readonly product_kb: number;
  };
  readonly storage: {
    /** kB per product in the database. */
    readonly product_kb: number;
  };
  readonly costs: Readonly<Record<RequestKind, RequestCost>>;
}

export const COSTS: CostTable = table;
