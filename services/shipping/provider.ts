// Handles the rpcs of shipping providers: carrier accounts and extensions.

import { randomUUIDv7 } from 'bun';
import type { ConnectedProvider, CreateProviderRequest, ShippingProviderRpcs } from '#proto/gen/shipping_provider.ts';
import { foreignCursor, invalid, notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import { checkUrl } from '#runtime/outbound/outbound.ts';
import { newSigningSecret } from '#runtime/outbound/webhook_signature.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import { SHIPPO_URL } from './carrier/shippo.ts';
import { raiseRevision } from './table/config.ts';
import {
  allProviders,
  type CarrierRecord,
  countProviders,
  deleteProvider,
  insertProvider,
  listProviders,
  secretContext,
} from './table/provider.ts';

const LIMIT_DEFAULT = 20;
/** Bounded, because each quote calls all providers of a store. */
const PROVIDERS_MAX = 10;

const providerDocument = ({ id, kind, name, url, created_at }: Omit<CarrierRecord, 'secret'>): ConnectedProvider => ({
  id,
  kind,
  name,
  ...(kind === 'carrier_account' ? { base_url: url } : { url }),
  created_at: created_at.toISOString(),
});

export const readProvider = async (sql: Sql, tenant: Tenant, id: string): Promise<ConnectedProvider | null> => {
  const found = (await allProviders(sql, tenant)).find((provider) => provider.id === id);
  return found ? providerDocument(found) : null;
};

export interface ProviderOptions {
  /** Whether test keys may configure http URLs and local addresses. */
  readonly allowLocal: boolean;
  readonly announceChange: (tenant: Tenant, revision: number) => void;
}

export const providerHandlers = ({ allowLocal, announceChange }: ProviderOptions): Handlers<ShippingProviderRpcs> => {
  const parseSettings = (
    input: CreateProviderRequest,
    { environment }: Tenant,
  ): { url: string; secret: string } | Refusal => {
    const custom = input.kind === 'custom';
    if (custom && input.url === undefined) return invalid('url', '`url` is required of a provider of kind custom.');
    if (!custom && input.api_key === undefined)
      return invalid('api_key', '`api_key` is required of a provider of kind carrier_account.');
    const url = custom ? input.url! : (input.base_url ?? SHIPPO_URL);
    const checked = checkUrl(url, environment, { allowLocal });
    if (typeof checked === 'string') return invalid(custom ? 'url' : 'base_url', checked);
    return { url, secret: custom ? newSigningSecret() : input.api_key! };
  };

  return {
    ListProviders: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['shipping_providers', tenantKey(tenant)]);
      const keys = cursor === undefined ? [] : decodeCursor(scope, cursor, ['place']);
      if (keys === null) return foreignCursor(cursor);
      const page = await listProviders(sql, tenant, typeof keys[0] === 'number' ? keys[0] : null, limit + 1);
      const providers = page.slice(0, limit);
      const next = page.length > limit ? encodeCursor(scope, [providers.at(-1)!.sequence]) : null;
      return {
        providers: providers.map(providerDocument),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    CreateProvider: transaction(async (tx, { tenant }, input) => {
      const settings = parseSettings(input, tenant);
      if (settings instanceof Refusal) return settings;
      // Raises the revision before counting, because the row's lock makes a tenant's changes run one after another.
      const now = tx.clock.now(tenant);
      const revision = await raiseRevision(tx.sql, tenant, now);
      if ((await countProviders(tx.sql, tenant)) >= PROVIDERS_MAX)
        return refuse(
          'conflict',
          `The store already has ${PROVIDERS_MAX} shipping providers, the maximum. Disconnect one first.`,
        );
      const id = randomUUIDv7();
      const { kind, name } = input;
      const { url, secret } = settings;
      const sealed = tx.seal.close(secret, secretContext(tenant, id));
      const provider: CarrierRecord = { id, kind, name, url, secret: sealed, created_at: now };
      await insertProvider(tx.sql, tenant, provider);
      const object = providerDocument(provider);
      await tx.emit(tenant, [{ type: 'shipping_provider.connected', object: { ...object, provider: name } }]);
      tx.afterCommit(() => announceChange(tenant, revision));
      return { provider: { ...object, ...(kind === 'custom' && { signing_secret: secret }) } };
    }),

    DeleteProvider: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      const now = tx.clock.now(tenant);
      const revision = await raiseRevision(tx.sql, tenant, now);
      if (!(await deleteProvider(tx.sql, tenant, id, now))) return notFound('shipping provider');
      tx.afterCommit(() => announceChange(tenant, revision));
      return { deleted: true, id };
    }),
  };
};
