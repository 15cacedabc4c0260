// The measured cost of each kind of request; `npm run bench -- cost` writes the table.
import table from './costs.json' with { type: 'json' };

/** Requests of shoppers and merchants; the last two are the first two without the edge's cache. */
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

/** In microseconds of one processor core. */
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
    /** Megabytes of an idle process. */
    readonly edge_mb: number;
    readonly services_mb: number;
    /** Kilobytes of one product in a host's memory. */
    readonly product_kb: number;
  };
  readonly storage: {
    /** Kilobytes of one product in the database. */
    readonly product_kb: number;
  };
  readonly costs: Readonly<Record<RequestKind, RequestCost>>;
}

export const COSTS: CostTable = table;
