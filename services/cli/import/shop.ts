// Calls the store's API, with deadlines and safe retries.
import { randomUUID } from 'node:crypto';
import { SetupError } from '#services/cli/local/child.ts';
import { signatureHeaders } from '#services/cli/signing.ts';

const REPLY_TIMEOUT_MS = 30_000;
const TRIES_MAX = 6;
const PAUSE_MS = 250;
const PAUSE_MS_MAX = 30_000;

export class ImportRefused {
  readonly status: number;
  readonly param: string | null;
  readonly message: string;

  constructor(status: number, body: string) {
    this.status = status;
    const { error } = parsed(body);
    this.param = error?.param ?? null;
    this.message = error?.message ?? body.slice(0, 200);
  }
}

const parsed = (body: string): { readonly error?: { readonly param?: string; readonly message?: string } } => {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
};

export interface ShopAccess {
  readonly baseUrl: string;
  readonly key: string;
  readonly hmacSecret: string;
  /** URL of the page that shows the imported products; null if this system has none for the store. */
  readonly shown: string | null;
}

interface Sent {
  readonly type?: string;
  readonly signed?: boolean;
}

type Page<T> = Readonly<Record<string, readonly T[]>> & {
  readonly pagination: { readonly next_cursor: string | null };
};

export class ImportTarget {
  readonly #access: ShopAccess;

  constructor(access: ShopAccess) {
    this.#access = access;
  }

  async get<T>(path: string): Promise<T> {
    return this.done(`GET ${path}`, await this.ask<T>('GET', path));
  }

  done<T>(what: string, answer: T | ImportRefused): T {
    if (answer instanceof ImportRefused)
      throw new SetupError(`${what} failed with status ${answer.status}: ${answer.message}`);
    return answer;
  }

  async *pages<T>(path: string, list: string, limit: number): AsyncGenerator<readonly T[]> {
    let cursor = '';
    do {
      const mark = path.includes('?') ? '&' : '?';
      const page = await this.get<Page<T>>(
        `${path}${mark}limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      );
      yield page[list] ?? [];
      cursor = page.pagination.next_cursor ?? '';
    } while (cursor);
  }

  async all<T>(path: string, list: string, limit: number): Promise<T[]> {
    const found: T[] = [];
    for await (const page of this.pages<T>(path, list, limit)) found.push(...page);
    return found;
  }

  async ask<T>(
    verb: string,
    path: string,
    body?: object | string | Uint8Array<ArrayBuffer>,
    sent: Sent = {},
  ): Promise<T | ImportRefused> {
    const operation = randomUUID();
    const isWritten = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const content = isWritten ? body : JSON.stringify(body);
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(verb, path, content, operation, sent).catch((fault: Error) => fault);
      if (answer instanceof Error) {
        if (attempt === TRIES_MAX) throw new SetupError(`${verb} ${path} got no answer: ${answer.message}`);
      } else {
        const reply = await answer.text();
        if (answer.ok) return JSON.parse(reply) as T;
        const busy = [429, 503].includes(answer.status) || (answer.status === 409 && answer.headers.has('retry-after'));
        if (!busy || attempt === TRIES_MAX) return new ImportRefused(answer.status, reply);
      }
      const asked = answer instanceof Error ? 0 : Number(answer.headers.get('retry-after') ?? 0) * 1_000;
      await pause(Math.min(Math.max(asked, PAUSE_MS * 2 ** attempt), PAUSE_MS_MAX));
    }
  }

  #once(
    verb: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    operation: string,
    sent: Sent,
  ): Promise<Response> {
    const { baseUrl, key, hmacSecret } = this.#access;
    return fetch(`${baseUrl}${path}`, {
      method: verb,
      headers: {
        authorization: `Bearer ${key}`,
        ...(verb !== 'GET' && { 'idempotency-key': operation }),
        ...(body !== undefined && { 'content-type': sent.type ?? 'application/json' }),
        ...(sent.signed && typeof body === 'string' && signatureHeaders(hmacSecret, body)),
      },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
    });
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms));

export const eachOf = async <T>(
  items: readonly T[],
  atOnce: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items.values();
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
};
