// A store's profile and settings: which keys may see each field, and which changes are valid.
import type { StoreCurrency } from '#proto/gen/exchange_rate.ts';
import type { StoreRetentionInput } from '#proto/gen/retention.ts';
import type { IdentityProvider, StoreAgents, StoreProfile, UpdateStoreRequest } from '#proto/gen/store.ts';
import type { StoredRate } from '#proto/gen/store_directory.ts';
import { type Environment, invalid, type KeyType, Refusal, refuse } from '#runtime/call/call.ts';
import { unknownCountry, unknownCurrency } from '#services/commerce/shared_refusal.ts';
import { parseCountry } from '#values/country.ts';
import { currencyOf, parseCurrency } from '#values/currency.ts';
import { readDomains } from './domain.ts';
import { readIdentityProvider, readOrigins } from './identity.ts';
import { readLanguages, type StoreLanguages } from './language.ts';
import type { LimitOverrides, SubscriptionState } from './plan.ts';

export interface SharedSettings extends StoreLanguages {
  readonly name: string;
  readonly description: string | null;
  readonly logo_url: string | null;
  readonly branding: Record<string, unknown> | null;
  readonly website_url: string | null;
  readonly contact_email: string | null;
  readonly contact_phone: string | null;
  readonly currency: string;
  readonly country: string | null;
  readonly timezone: string;
  readonly wholesale_enabled: boolean;
  readonly return_window_days: number;
  readonly low_stock_threshold: number;
  readonly tax_inclusive: boolean;
  /** Null until the merchant sets it. */
  readonly llms_enabled: boolean | null;
  readonly products_enabled: boolean;
  readonly cart_abandoned_after_minutes: number;
  readonly intent_ttl_minutes: number;
  readonly review_approval: 'manual' | 'verified' | 'all';
  readonly agents_mcp: boolean;
  readonly agents_acp: boolean;
  readonly agents_ucp: boolean;
  readonly domains: readonly string[];
  readonly currencies: readonly StoreCurrency[];
  readonly retention: StoreRetentionInput;
}

export interface EnvironmentSettings {
  readonly allowed_redirect_origins: readonly string[];
  readonly idp: IdentityProvider | null;
}

export interface StoredEnvironment extends EnvironmentSettings {
  readonly exchange_rates: readonly Omit<StoredRate, 'environment'>[];
}

export interface StoreRecord extends SharedSettings, SubscriptionState {
  readonly id: string;
  readonly code: string;
  readonly limits: LimitOverrides;
  /** The last change of what both environments share. */
  readonly updated_at: Date;
  readonly environments: Readonly<Record<Environment, StoredEnvironment>>;
}

export interface StoreChange {
  readonly shared: Partial<SharedSettings>;
  readonly own: Partial<EnvironmentSettings>;
}

const DEFAULT_RETENTION: Required<StoreRetentionInput> = {
  events_days: null,
  mails_days: null,
  checkouts_days: null,
  audit_days: null,
  messages_days: null,
};

const BRANDING_BYTES_MAX = 64 * 1024;

/**
 * Returns which feeds are published. All are by default, except llms.txt of a wholesale store, which the merchant must
 * switch on.
 */
export const feedsOf = (store: SharedSettings): { llms_enabled: boolean; products_enabled: boolean } => ({
  llms_enabled: store.llms_enabled ?? !store.wholesale_enabled,
  products_enabled: store.products_enabled,
});

/** Returns which protocols for assistants are enabled. All are by default; none is for a wholesale store. */
export const agentsOf = (store: SharedSettings): StoreAgents => ({
  mcp: store.agents_mcp && !store.wholesale_enabled,
  acp: store.agents_acp && !store.wholesale_enabled,
  ucp: store.agents_ucp && !store.wholesale_enabled,
});

/** Returns the profile as a key may see it; only a secret key sees `idp`, `review_approval` and `retention`. */
export const profileFor = (store: StoreRecord, environment: Environment, keyType: KeyType): StoreProfile => {
  const own = store.environments[environment];
  const profile: StoreProfile = {
    id: store.id,
    code: store.code,
    name: store.name,
    description: store.description,
    logo_url: store.logo_url,
    branding: store.branding,
    website_url: store.website_url,
    contact_email: store.contact_email,
    contact_phone: store.contact_phone,
    currency: store.currency,
    currency_symbol: currencyOf(store.currency).symbol,
    country: store.country,
    timezone: store.timezone,
    wholesale_enabled: store.wholesale_enabled,
    return_window_days: store.return_window_days,
    low_stock_threshold: store.low_stock_threshold,
    tax_inclusive: store.tax_inclusive,
    feeds: feedsOf(store),
    cart_abandoned_after_minutes: store.cart_abandoned_after_minutes,
    intent_ttl_minutes: store.intent_ttl_minutes,
    allowed_redirect_origins: own.allowed_redirect_origins,
    agents: agentsOf(store),
    domains: store.domains,
    language: store.language,
    languages: store.languages,
    currencies: store.currencies,
  };
  if (keyType !== 'secret') return profile;
  const { review_approval, updated_at } = store;
  const retention = { ...DEFAULT_RETENTION, ...store.retention };
  return { ...profile, idp: own.idp, review_approval, updated_at: updated_at.toISOString(), retention };
};

/** Accepts IANA names; refuses offsets such as `+03:00`. */
const isTimezone = (text: string): boolean => {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
};

const readCurrencies = (
  currencies: readonly StoreCurrency[] | undefined,
): Partial<Pick<SharedSettings, 'currencies'>> | Refusal => {
  if (currencies === undefined) return {};
  const read = new Map<string, StoreCurrency>();
  for (const [at, { currency: code, prices }] of currencies.entries()) {
    const param = `currencies[${at}].currency`;
    const currency = parseCurrency(code);
    if (currency === null) return unknownCurrency(code, param);
    if (read.has(currency.code)) return invalid(param, `${currency.code} is named twice. Name each currency once.`);
    read.set(currency.code, { currency: currency.code, prices });
  }
  return { currencies: [...read.values()] };
};

/** Refuses the store's own currency among its further ones. */
export const currencyObstacle = (
  { currency, currencies }: SharedSettings,
  changed: Partial<SharedSettings>,
): Refusal | null => {
  const at = currencies.findIndex((each) => each.currency === currency);
  if (at < 0) return null;
  return invalid(
    changed.currencies === undefined ? 'currency' : `currencies[${at}].currency`,
    `${currency} cannot be the store's own currency and one of its \`currencies\` at once. Take it out of \`currencies\`.`,
  );
};

export const readChange = (
  input: UpdateStoreRequest,
  environment: Environment,
  allowLocal: boolean,
): StoreChange | Refusal => {
  const { currency, country, feeds, agents, domains, language, languages, currencies, ...rest } = input;
  const { allowed_redirect_origins, idp, ...plain } = rest;
  const shared: { -readonly [name in keyof SharedSettings]?: SharedSettings[name] } = { ...plain };
  const own: { -readonly [name in keyof EnvironmentSettings]?: EnvironmentSettings[name] } = {};

  if (currency !== undefined) {
    const known = parseCurrency(currency);
    if (known === null) return unknownCurrency(currency);
    shared.currency = known.code;
  }
  if (country !== undefined) {
    const known = country === null ? null : parseCountry(country);
    if (country !== null && known === null) {
      return unknownCountry(country);
    }
    shared.country = known;
  }
  if (plain.timezone !== undefined && !isTimezone(plain.timezone)) {
    return refuse('invalid_request', `${plain.timezone} is no time zone. Use an IANA name such as Africa/Nairobi.`, {
      param: 'timezone',
    });
  }
  const brandingBytes = plain.branding ? Buffer.byteLength(JSON.stringify(plain.branding)) : 0;
  if (brandingBytes > BRANDING_BYTES_MAX) {
    return refuse(
      'invalid_request',
      `branding has ${brandingBytes} bytes of JSON, at most ${BRANDING_BYTES_MAX} are stored. Shorten it.`,
      { param: 'branding' },
    );
  }
  if (feeds?.llms_enabled !== undefined) shared.llms_enabled = feeds.llms_enabled;
  if (feeds?.products_enabled !== undefined) shared.products_enabled = feeds.products_enabled;
  if (agents?.mcp !== undefined) shared.agents_mcp = agents.mcp;
  if (agents?.acp !== undefined) shared.agents_acp = agents.acp;
  if (agents?.ucp !== undefined) shared.agents_ucp = agents.ucp;
  if (domains !== undefined) {
    const hosts = readDomains(domains);
    if (hosts instanceof Refusal) return hosts;
    shared.domains = hosts;
  }
  const named = readLanguages(language, languages);
  if (named instanceof Refusal) return named;
  Object.assign(shared, named);
  const shown = readCurrencies(currencies);
  if (shown instanceof Refusal) return shown;
  Object.assign(shared, shown);
  if (allowed_redirect_origins !== undefined) {
    const origins = readOrigins(allowed_redirect_origins);
    if (origins instanceof Refusal) return origins;
    own.allowed_redirect_origins = origins;
  }
  if (idp !== undefined) {
    const provider = idp === null ? null : readIdentityProvider(idp, environment, allowLocal);
    if (provider instanceof Refusal) return provider;
    own.idp = provider;
  }
  return { shared, own };
};

export const applyChange = (store: StoreRecord, change: StoreChange, environment: Environment): StoreRecord => ({
  ...store,
  ...change.shared,
  retention: { ...store.retention, ...change.shared.retention },
  environments: { ...store.environments, [environment]: { ...store.environments[environment], ...change.own } },
});

const STORE_UPDATED_FIELDS: readonly (keyof StoreProfile)[] = [
  'name',
  'logo_url',
  'branding',
  'contact_email',
  'contact_phone',
  'currency',
];

/**
 * Returns the fields that differ, with their former values; null if no field changed for which store.updated is
 * emitted.
 */
export const updatedFields = (
  before: StoreProfile,
  after: StoreProfile,
): { readonly changedFields: string[]; readonly previous: Record<string, unknown> } | null => {
  const names = Object.keys(after) as (keyof StoreProfile)[];
  const differing = names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  if (!differing.some((name) => STORE_UPDATED_FIELDS.includes(name))) return null;
  const changedFields = differing.filter((name) => name !== 'currency_symbol');
  return { changedFields, previous: Object.fromEntries(changedFields.map((name) => [name, before[name] ?? null])) };
};
