// Public feeds: rendered from the catalogue in memory, cached until the catalogue or the store changes.

import type { ListPublishedResponse } from '#proto/gen/content.ts';
import type {
  FeedRpcs,
  GetFeedRequest,
  GetProductFeedResponse,
  GetShoppingFeedResponse,
  GetSummaryResponse,
} from '#proto/gen/feed.ts';
import {
  type Call,
  type Dependency,
  notFound,
  Refusal,
  Rendered,
  type Tenant,
  type TenantKey,
  tenantKey,
} from '#runtime/call/call.ts';
import { Unavailable } from '#runtime/call/fault.ts';
import { type Handlers, read } from '#runtime/domain/rpc.ts';
import type { Runtime } from '#runtime/domain/runtime.ts';
import type { Catalogue } from '#services/catalog/memory/catalogue.ts';
import type { CataloguePool } from '#services/catalog/memory/pool.ts';
import { madeFrom } from '#services/commerce/dependency.ts';
import { otherLanguage } from '#values/language.ts';
import type { FeedStore } from './feed_store.ts';
import { renderProductFeed } from './product_feed.ts';
import { renderShoppingFeed } from './shopping_feed.ts';
import { NO_STORIES, renderSummary } from './summary.ts';

const CACHE_BYTES_MAX = 64 * 1024 * 1024;

interface CachedFeed {
  /** Identifies the catalogue's revision, the next price change and the store at the time of rendering. */
  readonly stamp: string;
  readonly rendered: Promise<Rendered>;
  bytes: number;
}

const stampOf = (store: FeedStore, { revision, pricesChangeAt }: Catalogue): string =>
  JSON.stringify([revision, pricesChangeAt, store]);

type Kind = 'summary' | 'products' | 'shopping';

const feedKey = (tenant: Tenant, kind: Kind, { language = '' }: FeedStore): TenantKey =>
  tenantKey(tenant, `${kind} ${language}`);

/** Names the tenant, because feeds are requested without a key. */
const dependenciesOf = (tenant: Tenant, catalogue: number, content?: number): readonly Dependency[] => {
  const shown: Dependency[] = content === undefined ? [] : [{ kind: 'content', revision: content, ids: [] }];
  return madeFrom('catalog', catalogue, null, shown).map((dependency) => ({ ...dependency, tenant }));
};

export const feedHandlers = (runtime: Runtime, pool: CataloguePool): Handlers<FeedRpcs> => {
  const { ask, clock, postgres, settings } = runtime;
  const cache = new Map<TenantKey, CachedFeed>();
  let bytes = 0;

  const drop = (key: TenantKey): void => {
    bytes -= cache.get(key)?.bytes ?? 0;
    cache.delete(key);
  };

  const once = (key: TenantKey, stamp: string, render: () => Promise<Rendered>): Promise<Rendered> => {
    const known = cache.get(key);
    drop(key);
    const entry = known?.stamp === stamp ? known : { stamp, rendered: render(), bytes: 0 };
    cache.set(key, entry);
    bytes += entry.bytes;
    if (entry === known) return entry.rendered;
    entry.rendered.then(
      ({ body }) => {
        if (cache.get(key) !== entry) return;
        entry.bytes = body.length;
        bytes += body.length;
        // Evicts the oldest other feeds. The feed just rendered stays, so that the next caller need not render the feed
        // again.
        for (const [oldest] of cache) {
          if (bytes <= CACHE_BYTES_MAX || oldest === key) break;
          drop(oldest);
        }
      },
      () => {
        if (cache.get(key) === entry) drop(key);
      },
    );
    return entry.rendered;
  };

  const updatedAt = async (tenant: Tenant): Promise<Date> => {
    try {
      const [row] = await postgres.sql<{ changed_at: Date }[]>`
        select changed_at from catalog.revision
        where store = ${tenant.store} and environment = ${tenant.environment}`;
      return row?.changed_at ?? clock.now(tenant);
    } catch (problem) {
      // Without the database, the feed of the catalogue in memory is still served.
      if (problem instanceof Unavailable) return clock.now(tenant);
      throw problem;
    }
  };

  const renderProducts = async (
    kind: 'products' | 'shopping',
    store: FeedStore,
    tenant: Tenant,
    catalogue: Catalogue,
  ): Promise<Rendered> => {
    // Reads the revision before rendering: a change during rendering then has a later revision, which makes this feed
    // stale.
    const { revision } = catalogue;
    const body =
      kind === 'products'
        ? await renderProductFeed(store, catalogue, await updatedAt(tenant))
        : await renderShoppingFeed(store, catalogue);
    return new Rendered(body, dependenciesOf(tenant, revision));
  };

  /**
   * Returns null if the content domain is unavailable: the summary is then rendered without posts and lookbooks, and
   * not cached.
   */
  const published = async (
    tenant: Tenant,
    { language }: FeedStore,
    { deadline }: Call,
  ): Promise<ListPublishedResponse | null> => {
    try {
      const response = await ask('ContentDirectory/ListPublished', tenant, { language }, { deadline, reads: true });
      return response instanceof Refusal ? null : response;
    } catch (problem) {
      if (problem instanceof Unavailable) return null;
      throw problem;
    }
  };

  const summary = async (call: Call, store: FeedStore, tenant: Tenant, catalogue: Catalogue): Promise<Rendered> => {
    const stories = await published(tenant, store, call);
    const stamp = JSON.stringify([stampOf(store, catalogue), stories]);
    const render = async (): Promise<Rendered> => {
      const body = renderSummary(store, catalogue, stories ?? NO_STORIES);
      if (!stories) return new Rendered(body);
      return new Rendered(body, dependenciesOf(tenant, catalogue.revision, stories.revision));
    };
    return once(feedKey(tenant, 'summary', store), stamp, render);
  };

  const feed = async (kind: Kind, call: Call, input: GetFeedRequest): Promise<Rendered | Refusal> => {
    const profile = await ask('StoreDirectory/GetProfile', call.tenant, { store: input.store });
    if (profile instanceof Refusal) return profile.code === 'not_found' ? notFound('feed') : profile;
    const { id, code, name, description, website_url, currency, country, feeds, agents } = profile;
    const open = kind === 'summary' ? feeds.llms_enabled : feeds.products_enabled;
    if (!open || profile.trial || profile.lapsed) return notFound('feed');
    const base = `${settings.publicUrl}/s/${code}`;
    const language = otherLanguage(input.language, profile.languages);
    const store: FeedStore = { id, code, name, description, website_url, currency, country, agents, base, language };
    const tenant: Tenant = { store: id, environment: 'production' };
    const catalogue = await pool.get({ tenant, deadline: call.deadline, revisionMin: call.revisionMin });
    if (kind === 'summary') return summary(call, store, tenant, catalogue);
    return once(feedKey(tenant, kind, store), stampOf(store, catalogue), () =>
      renderProducts(kind, store, tenant, catalogue),
    );
  };

  return {
    GetSummary: read<GetFeedRequest, GetSummaryResponse>((call, input) => feed('summary', call, input)),
    GetProductFeed: read<GetFeedRequest, GetProductFeedResponse>((call, input) => feed('products', call, input)),
    GetShoppingFeed: read<GetFeedRequest, GetShoppingFeedResponse>((call, input) => feed('shopping', call, input)),
  };
};
