// Identifies actors and assigns them to partitions.
import type { Tenant } from '#runtime/call/call.ts';
import type { AnyKind } from './kind.ts';

export interface Address {
  readonly kind: AnyKind;
  readonly tenant: Tenant;
  readonly id: string;
  /** `<kind>/<store>/<environment>/<id>`, unique among all actors. */
  readonly key: string;
}

export class Kinds {
  readonly #kinds = new Map<string, AnyKind>();
  /** Nested by environment and store, because a combined key would have to be built for each command. */
  readonly #tenants = {
    production: new Map<string, Tenant>(),
    sandbox: new Map<string, Tenant>(),
  };
  /** The address returned last, since a busy actor is addressed many times in a row. */
  #last: Address | null = null;

  register(kind: AnyKind): void {
    if (this.#kinds.has(kind.name)) throw new Error(`There are two kinds of actors named ${kind.name}.`);
    if (!/^[a-z][a-z_]*$/.test(kind.name)) throw new Error(`A kind of actor cannot be named ${kind.name}.`);
    this.#kinds.set(kind.name, kind);
  }

  get names(): readonly string[] {
    return [...this.#kinds.keys()];
  }

  named(name: string): AnyKind {
    const kind = this.#kinds.get(name);
    if (!kind) throw new Error(`No kind of actor named ${name} is registered here.`);
    return kind;
  }

  address(kind: AnyKind, tenant: Tenant, id: string): Address {
    const { store, environment } = tenant;
    const last = this.#last;
    if (last?.id === id && last.kind === kind && last.tenant.store === store && last.tenant.environment === environment)
      return last;
    const tenants = this.#tenants[environment];
    let known = tenants.get(store);
    if (!known) {
      known = { store, environment };
      tenants.set(store, known);
    }
    this.#last = { kind, tenant: known, id, key: actorKey(kind.name, known, id) };
    return this.#last;
  }
}

export const actorKey = (kind: string, { store, environment }: Tenant, id: string): string =>
  `${kind}/${store}/${environment}/${id}`;

/** Hashes two texts with FNV-1a, then mixes the result so that the last characters affect every bit. */
export const hash32 = (first: string, second: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < first.length; at++) hash = Math.imul(hash ^ first.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ 0x2f, 0x01000193);
  for (let at = 0; at < second.length; at++) hash = Math.imul(hash ^ second.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return (hash ^ (hash >>> 15)) >>> 0;
};

/** Returns an actor's partition. The formula must never change: stored logs and snapshots depend on it. */
export const partitionOf = (key: string, partitions: number): number => hash32('partition', key) % partitions;
