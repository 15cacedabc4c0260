// The rpc handlers of payment providers: lists, connects and disconnects them.

import { isDeepStrictEqual } from 'node:util';
import { randomUUIDv7 } from 'bun';
import type { CheckoutPaymentRpcs } from '#proto/gen/checkout.ts';
import type { PaymentMethod, PaymentRpcs } from '#proto/gen/payment.ts';
import type { ConnectPaymentProviderRequest, PaymentProvider } from '#proto/gen/payment_provider.ts';
import { foreignCursor, invalid, notFound, Refusal, refuse, type Tenant, tenantKey } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import { checkUrl } from '#runtime/outbound/outbound.ts';
import type { Sql } from '#runtime/postgres/sql.ts';
import { decodeCursor, encodeCursor } from '#values/cursor.ts';
import type { Adapters } from './provider/directory.ts';
import { BUILT_IN, isBuiltIn, type ProviderAccount, type ProviderAdapter } from './provider/provider.ts';
import {
  accountOf,
  connectProvider,
  disconnectProvider,
  findAccount,
  findConnected,
  listProviders,
  type PaymentProviderRecord,
  pageOfProviders,
  sealCredentials,
} from './table/provider.ts';

const LIMIT_DEFAULT = 20;

const shown = ({ store, environment }: Tenant, record: PaymentProviderRecord): PaymentProvider => ({
  id: record.id,
  provider: record.provider,
  name: record.name,
  custom_provider: record.custom,
  initialize_url: record.initialize_url,
  verify_url: record.verify_url,
  callback_path: `/v1/payments/callbacks/${record.provider}/${store}/${environment}`,
  environment,
  created_at: record.created_at.toISOString(),
});

const methodOf = (
  adapter: ProviderAdapter,
  { environment }: Tenant,
  record: PaymentProviderRecord | null,
  element: PaymentMethod['element'],
): PaymentMethod => ({
  provider: record?.provider ?? adapter.name,
  name: record?.name ?? adapter.label,
  type: adapter.type,
  custom_provider: record?.custom ?? false,
  currencies: [...adapter.currencies],
  countries: [...adapter.countries],
  environment,
  element,
});

type ProviderRpc = 'ListMethods' | 'ListPaymentProviders' | 'ConnectPaymentProvider' | 'DisconnectPaymentProvider';
type ProviderHandlers = Pick<Handlers<PaymentRpcs>, ProviderRpc>;

export const readProvider = async (sql: Sql, tenant: Tenant, id: string): Promise<PaymentProvider | null> => {
  const found = await findAccount(sql, tenant, id);
  return found && shown(tenant, found);
};

export const operatorProviderHandlers = (
  providers: ProviderHandlers,
): Pick<Handlers<CheckoutPaymentRpcs>, 'ListProviders' | 'ConnectProvider' | 'DisconnectProvider'> => ({
  ListProviders: providers.ListPaymentProviders,
  ConnectProvider: providers.ConnectPaymentProvider,
  DisconnectProvider: providers.DisconnectPaymentProvider,
});

const OVERTAKEN = refuse('conflict', 'Another request has just connected this provider.', {
  param: 'provider',
  hint: 'Send the request again to connect it with these credentials instead.',
});

const CONNECTED = refuse('conflict', 'This provider is connected with these credentials already.', {
  param: 'provider',
  hint: 'Send other credentials to replace them.',
});

const sameAccount = (a: ProviderAccount, b: ProviderAccount): boolean =>
  a.initializeUrl === b.initializeUrl && a.verifyUrl === b.verifyUrl && isDeepStrictEqual(a.credentials, b.credentials);

export const providerHandlers = ({ seal }: Runtime, adapters: Adapters, allowLocal: boolean): ProviderHandlers => {
  const readCredentials = (
    input: ConnectPaymentProviderRequest,
    { environment }: Tenant,
  ): Record<string, string> | Refusal => {
    const { provider, credentials = {} } = input;
    if (!isBuiltIn(provider))
      return invalid('provider', `Built-in providers are ${BUILT_IN.join(', ')}; others need \`custom_provider\`.`);
    const adapter = adapters.builtIn[provider];
    const { required, optional } = adapter.credentials;
    const missing = required.find((name) => !credentials[name]);
    if (missing) return invalid(`credentials.${missing}`, `\`credentials.${missing}\` is required for ${provider}.`);
    const known = [...required, ...optional].filter((name) => credentials[name]);
    const read = Object.fromEntries(known.map((name) => [name, credentials[name]!]));
    const misplaced = adapter.wrongEnvironmentCredential(read, environment);
    if (misplaced === null) return read;
    const wanted = environment === 'sandbox' ? 'a test' : 'a live';
    return invalid(`credentials.${misplaced}`, `\`credentials.${misplaced}\` must be ${wanted} key here.`);
  };

  const readCustom = (
    input: ConnectPaymentProviderRequest,
    { environment }: Tenant,
  ): Record<string, string> | Refusal => {
    if (isBuiltIn(input.provider))
      return invalid('provider', `\`${input.provider}\` is a built-in provider. Choose another name for your own.`);
    for (const param of ['initialize_url', 'verify_url', 'signing_secret'] as const)
      if (!input[param]) return invalid(param, `\`${param}\` is required for a provider of your own.`);
    for (const param of ['initialize_url', 'verify_url'] as const) {
      const url = checkUrl(input[param]!, environment, { allowLocal });
      if (typeof url === 'string') return invalid(param, url);
    }
    return { signing_secret: input.signing_secret! };
  };

  const elementOf = (
    { element }: ProviderAdapter,
    tenant: Tenant,
    record: PaymentProviderRecord | null,
  ): PaymentMethod['element'] => {
    if (!element) return null;
    if (record === null) return 'simulator';
    return accountOf(seal, tenant, record).credentials[element.credential] ? element.library : null;
  };

  return {
    ListMethods: query(async (sql, { tenant }) => {
      const connected = await listProviders(sql, tenant);
      const methods = BUILT_IN.flatMap((name) => {
        const record = connected.find(({ provider }) => provider === name) ?? null;
        return record || tenant.environment === 'sandbox'
          ? [methodOf(adapters.builtIn[name], tenant, record, elementOf(adapters.builtIn[name], tenant, record))]
          : [];
      });
      const own = connected
        .filter(({ custom }) => custom)
        .map((record) => methodOf(adapters.custom, tenant, record, null));
      return { methods: [...methods, ...own] };
    }),

    ListPaymentProviders: query(async (sql, { tenant }, { limit = LIMIT_DEFAULT, cursor }) => {
      const scope = JSON.stringify(['payment_providers', tenantKey(tenant)]);
      const keys = cursor === undefined ? [] : decodeCursor(scope, cursor, ['time', 'id']);
      if (keys === null) return foreignCursor(cursor);
      const page = await pageOfProviders(sql, tenant, keys as [number, string] | [], limit + 1);
      const last = page.length > limit ? page[limit - 1]! : null;
      const next = last && encodeCursor(scope, [last.created_at.getTime(), last.id]);
      return {
        providers: page.slice(0, limit).map((record) => shown(tenant, record)),
        pagination: { limit, has_more: next !== null, next_cursor: next },
      };
    }),

    ConnectPaymentProvider: transaction(async (tx, { tenant, keyType }, input) => {
      const custom = input.custom_provider === true;
      const credentials = custom ? readCustom(input, tenant) : readCredentials(input, tenant);
      if (credentials instanceof Refusal) return credentials;
      const id = randomUUIDv7();
      const record: PaymentProviderRecord = {
        id,
        provider: input.provider,
        name: input.name ?? (custom ? input.provider : adapters.of(input.provider, custom).label),
        custom,
        credentials: sealCredentials(seal, tenant, id, credentials),
        initialize_url: custom ? input.initialize_url! : null,
        verify_url: custom ? input.verify_url! : null,
        created_at: tx.clock.now(tenant),
      };
      const before = await findConnected(tx.sql, tenant, record.provider);
      if (before && sameAccount(accountOf(seal, tenant, before), accountOf(seal, tenant, record))) return CONNECTED;
      if (!(await connectProvider(tx.sql, tenant, record, before?.id ?? null))) return OVERTAKEN;
      const provider = shown(tenant, record);
      if (keyType !== 'operator')
        await tx.emit(tenant, [{ type: 'payment_provider.connected', object: { ...provider } }]);
      return { provider };
    }),

    DisconnectPaymentProvider: transaction(async (tx, { tenant }, input) => {
      const id = input.id.toLowerCase();
      const gone = await disconnectProvider(tx.sql, tenant, id, tx.clock.now(tenant));
      return gone ? { deleted: true, id } : notFound('payment provider');
    }),
  };
};
