// Tells who keeps copies of a tenant's catalogue that a newer revision exists: this host's listeners (the link passes
// it on to its edges) and, through the bus, every other host.
import type { Tenant } from './call.ts';

export interface Notice {
  readonly tenant: Tenant;
  /** The revision that now stands. */
  readonly revision: number;
  /** Ids of the products changed; null when anything of the tenant may have. */
  readonly subjects: readonly string[] | null;
}

export interface Notices {
  /** After a commit on this host: to local listeners at once, to other hosts over the bus. */
  publish(notice: Notice): void;
  /** Hears every notice, this host's own and others'. Returns how to stop. */
  listen(hear: (notice: Notice) => void): () => void;
}
