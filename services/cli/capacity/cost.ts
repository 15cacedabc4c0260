// What one request of a kind was measured to cost: `npm run bench -- cost` writes the table.
import table from './costs.json' with { type: 'json' };

/** What shoppers and merchants ask for; the last two as the first two, where the edge's cache has no answer. */
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

/** Microseconds of one processor core. */
export interface RequestCost {
  readonly edge_us: number;
  readonly services_us: number;
  readonly nats_us: number;
  readonly postgres_us: number;
  /** What the database has grown by. */
  readonly postgres_bytes: number;
  /** As many as the measured machine did. */
  readonly per_second: number;
}

export interface CostTable {
  readonly machine: { readonly processor: string; readonly cores: number };
  readonly at: string;
  /** The command that wrote this. */
  readonly made_by: string;
  readonly memory: {
    /** Of a process that has nothing to do. */
    readonly edge_mb: number;
    readonly services_mb: number;
    /** Of a product in the memory of a host. */
    readonly product_kb: number;
  };
  readonly storage: {
    /** Of a product in the database. */
    readonly product_kb: number;
  };
  readonly costs: Readonly<Record<RequestKind, RequestCost>>;
}

export const COSTS: CostTable = table;
