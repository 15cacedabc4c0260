// Handlers of ingestion: pushes, jobs, inbound feeds.

import { randomUUIDv7 } from 'bun';
import type {
  CreateFeedRequest,
  GetJobRequest,
  IngestionRpcs,
  JobResponse,
  ListFeedsRequest,
  ListJobsRequest,
  PushRequest,
  UpdateFeedRequest,
} from '#proto/gen/ingestion.ts';
import { type Call, foreignCursor, invalid, notFound, Refusal, refuse, type Tenant } from '#runtime/call/call.ts';
import { type Handlers, query, transaction } from '#runtime/domain/rpc.ts';
import { yieldToEventLoop } from '#runtime/flow/slice.ts';
import { checkUrl } from '#runtime/outbound/outbound.ts';
import type { Transaction } from '#runtime/postgres/database.ts';
import { lockTenant } from '#runtime/postgres/tenant_lock.ts';
import { type CursorKey, decodeCursor, encodeCursor } from '#values/cursor.ts';
import { ndjsonRows } from './document.ts';
import {
  countFeeds,
  deleteFeed,
  type FeedRecord,
  type FeedSettings,
  feedOf,
  insertFeed,
  listFeeds,
  lockFeed,
  updateFeed,
} from './feed_table.ts';
import { ROW_FIELDS } from './intake.ts';
import { findJob, hasQueuedJob, insertJob, type JobPage, listJobs, type NewJob } from './job_table.ts';
import { jsonMember, jsonRows } from './json_array.ts';
import { BrokenDocument } from './source_row.ts';
import { packDocument } from './spool.ts';
import { MEMBER } from './text_row.ts';

const LIMIT_DEFAULT = 20;
const FEEDS_MAX = 100;
const NDJSON = 'application/x-ndjson';
const ROWS_PER_YIELD = 2_000;

const page = async <T>(
  scope: string,
  { limit = LIMIT_DEFAULT, cursor }: { readonly limit?: number; readonly cursor?: string },
  read: (before: number | null, limit: number) => Promise<JobPage<T>>,
) => {
  const keys: readonly CursorKey[] | null = cursor === undefined ? [] : decodeCursor(scope, cursor, ['place']);
  if (keys === null) return foreignCursor(cursor);
  const { items, next } = await read(typeof keys[0] === 'number' ? keys[0] : null, limit);
  const pagination = {
    limit,
    has_more: next !== null,
    next_cursor: next === null ? null : encodeCursor(scope, [next]),
  };
  return { items, pagination };
};

const scopeOf = ({ store, environment }: Tenant, list: string, filters: unknown): string =>
  JSON.stringify([store, environment, list, filters]);

const countRows = async (rows: Iterable<unknown>): Promise<number> => {
  let count = 0;
  for (const _row of rows) if (++count % ROWS_PER_YIELD === 0) await yieldToEventLoop();
  return count;
};

interface PushedDocument {
  readonly document: Uint8Array;
  readonly format: 'json' | 'ndjson' | 'csv';
  readonly mode: 'upsert' | 'replace';
  readonly dryRun: boolean;
  /** 0 for CSV, whose rows the job counts. */
  readonly rows: number;
}

const readPush = async (call: Call, input: PushRequest): Promise<PushedDocument | Refusal> => {
  if (call.contentType === NDJSON) {
    const document = call.rawBody;
    if (document[0] === 0xef && document[1] === 0xbb && document[2] === 0xbf)
      return refuse('invalid_request', 'The body must not begin with a byte-order mark.');
    return {
      document,
      format: 'ndjson',
      mode: input.mode ?? 'upsert',
      dryRun: input.dry_run ?? false,
      rows: await countRows(ndjsonRows(document)),
    };
  }
  // External callers send the raw body, which the edge has validated; internal callers send the parsed request, which
  // is serialised again.
  const document = call.rawBody.length > 0 ? call.rawBody : Buffer.from(JSON.stringify(input));
  try {
    const mode = input.mode ?? jsonMember(document, 'mode') ?? 'upsert';
    if (mode !== 'upsert' && mode !== 'replace') return invalid('mode', '`mode` must be one of upsert, replace.');
    const dryRun = (input.dry_run ?? jsonMember(document, 'dry_run')) === true;
    const csv = input.csv ?? jsonMember(document, 'csv');
    if (typeof csv === 'string') return { document: Buffer.from(csv), format: 'csv', mode, dryRun, rows: 0 };
    return { document, format: 'json', mode, dryRun, rows: await countRows(jsonRows(document)) };
  } catch (problem) {
    if (problem instanceof BrokenDocument) return invalid('products', '`products` or `csv` is required.');
    throw problem;
  }
};

const checkMapping = (mapping: Readonly<Record<string, string>>): Refusal | null => {
  for (const name of Object.keys(mapping))
    if (!Object.hasOwn(ROW_FIELDS, name) && !MEMBER.test(name))
      return invalid('mapping', `\`mapping\` names a field that products do not have: ${name}.`);
  return null;
};

export interface IngestionOptions {
  readonly allowLocal: boolean;
  readonly wake: () => void;
}

export const syncJob = (feed: FeedRecord, createdAt: Date): NewJob => ({
  id: randomUUIDv7(),
  feedId: feed.id,
  mode: feed.mode,
  dryRun: false,
  format: feed.format,
  url: feed.url,
  mapping: feed.mapping,
  payload: null,
  rowsTotal: 0,
  createdAt,
});

export const ingestionHandlers = ({ allowLocal, wake }: IngestionOptions): Handlers<IngestionRpcs> => {
  const checkAddress = (url: string, { tenant }: Call): Refusal | null => {
    const checked = checkUrl(url, tenant.environment, { allowLocal });
    return typeof checked === 'string' ? invalid('url', checked) : null;
  };

  const addJob = async (tx: Transaction, tenant: Tenant, job: NewJob): Promise<JobResponse> => {
    const added = await insertJob(tx, tenant, job);
    tx.afterCommit(wake);
    return { job: added };
  };

  const changedFeed = (before: FeedRecord, { id: _id, ...input }: UpdateFeedRequest): FeedSettings => ({
    name: input.name ?? before.name,
    url: input.url ?? before.url,
    format: input.format ?? before.format,
    mode: input.mode ?? before.mode,
    mapping: input.mapping === undefined ? before.mapping : (input.mapping ?? {}),
    interval_minutes: input.interval_minutes === undefined ? before.interval_minutes : input.interval_minutes,
  });

  return {
    Push: transaction(async (tx, call, input: PushRequest) => {
      const pushed = await readPush(call, input);
      if (pushed instanceof Refusal) return pushed;
      return addJob(tx, call.tenant, {
        id: randomUUIDv7(),
        feedId: null,
        mode: pushed.mode,
        dryRun: pushed.dryRun,
        format: pushed.format,
        url: null,
        mapping: {},
        payload: await packDocument(pushed.document),
        rowsTotal: pushed.rows,
        createdAt: tx.clock.now(call.tenant),
      });
    }),

    ListJobs: query(async (sql, call, input: ListJobsRequest) => {
      const filter = { status: input.status ?? null, feedId: input.feed_id?.toLowerCase() ?? null };
      const found = await page(scopeOf(call.tenant, 'jobs', filter), input, (before, limit) =>
        listJobs(sql, call.tenant, { ...filter, before, limit }),
      );
      return found instanceof Refusal ? found : { jobs: found.items, pagination: found.pagination };
    }),

    GetJob: query(async (sql, call, { id }: GetJobRequest) => {
      const job = await findJob(sql, call.tenant, id);
      return job === null ? notFound('ingestion job') : { job };
    }),

    ListFeeds: query(async (sql, call, input: ListFeedsRequest) => {
      const found = await page(scopeOf(call.tenant, 'feeds', null), input, (before, limit) =>
        listFeeds(sql, call.tenant, before, limit),
      );
      return found instanceof Refusal ? found : { feeds: found.items.map(feedOf), pagination: found.pagination };
    }),

    CreateFeed: transaction(async (tx, call, input: CreateFeedRequest) => {
      const mapping = input.mapping ?? {};
      const refusal = checkAddress(input.url, call) ?? checkMapping(mapping);
      if (refusal) return refusal;
      await lockTenant(tx.sql, call.tenant, 'inbound feeds');
      if ((await countFeeds(tx.sql, call.tenant)) >= FEEDS_MAX)
        return refuse('conflict', `The store already has ${FEEDS_MAX} inbound feeds, the maximum. Delete one first.`);
      const settings: FeedSettings = {
        name: input.name ?? new URL(input.url).host,
        url: input.url,
        format: input.format,
        mode: input.mode ?? 'upsert',
        mapping,
        interval_minutes: input.interval_minutes ?? null,
      };
      const feed = await insertFeed(tx.sql, call.tenant, randomUUIDv7(), settings, tx.clock.now(call.tenant));
      return { feed: feedOf(feed) };
    }),

    UpdateFeed: transaction(async (tx, call, input: UpdateFeedRequest) => {
      const before = await lockFeed(tx.sql, call.tenant, input.id);
      if (before === null) return notFound('feed');
      const settings = changedFeed(before, input);
      const refusal = checkAddress(settings.url, call) ?? checkMapping(settings.mapping);
      if (refusal) return refusal;
      return { feed: feedOf(await updateFeed(tx.sql, call.tenant, before, settings, tx.clock.now(call.tenant))) };
    }),

    DeleteFeed: transaction(async (tx, call, { id }) => {
      const deleted = await deleteFeed(tx.sql, call.tenant, id, tx.clock.now(call.tenant));
      return deleted ? { deleted, id } : notFound('feed');
    }),

    SyncFeed: transaction(async (tx, call, { id }) => {
      const feed = await lockFeed(tx.sql, call.tenant, id);
      if (feed === null) return notFound('feed');
      if (await hasQueuedJob(tx.sql, call.tenant, id))
        return refuse('conflict', 'A job of this feed is already queued. Wait until it has finished.');
      return addJob(tx, call.tenant, syncJob(feed, tx.clock.now(call.tenant)));
    }),
  };
};
