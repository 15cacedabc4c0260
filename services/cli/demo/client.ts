// A small client of the public API: JSON, deadlines, and retries that never take effect twice.
import { createHash } from 'node:crypto';
import { signatureHeaders } from '#services/cli/signing.ts';

const REPLY_TIMEOUT_MS = 10_000;
const TRIES_MAX = 4;
const PAUSE_MS = 250;

export class Client {
  readonly #baseUrl: string;
  readonly #key: string;
  readonly #hmacSecret: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(baseUrl: string, key: string, hmacSecret = '', headers: Readonly<Record<string, string>> = {}) {
    this.#baseUrl = baseUrl;
    this.#key = key;
    this.#hmacSecret = hmacSecret;
    this.#headers = headers;
  }

  with(headers: Readonly<Record<string, string>>): Client {
    return new Client(this.#baseUrl, this.#key, this.#hmacSecret, { ...this.#headers, ...headers });
  }

  get<T>(path: string): Promise<T> {
    return this.#ask('GET', path);
  }

  /** Derives the idempotency key from the request, so that repeating it within 24 hours has no further effect. */
  post<T>(path: string, body: object): Promise<T> {
    return this.#ask('POST', path, body, { 'idempotency-key': keyOf(path, body) });
  }

  sign<T>(verb: 'POST' | 'PATCH', path: string, body: object): Promise<T> {
    return this.#ask(verb, path, body, {
      'idempotency-key': keyOf(path, body),
      ...signatureHeaders(this.#hmacSecret, JSON.stringify(body)),
    });
  }

  as(key: string): Client {
    return new Client(this.#baseUrl, key);
  }

  renew<T>(path: string, body: object): Promise<T> {
    return this.#ask('POST', path, body);
  }

  repeat<T>(path: string): Promise<T> {
    return this.#ask('POST', path);
  }

  put<T>(path: string, body: object): Promise<T> {
    return this.#ask('PUT', path, body);
  }

  patch<T>(path: string, body: object): Promise<T> {
    return this.#ask('PATCH', path, body);
  }

  async all<T>(path: string, list: string, limit: number): Promise<T[]> {
    const rows: T[] = [];
    let cursor = '';
    do {
      const page = await this.get<Page<T>>(`${path}limit=${limit}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
      rows.push(...(page[list] as T[]));
      cursor = page.pagination.next_cursor ?? '';
    } while (cursor);
    return rows;
  }

  async #ask<T>(verb: string, path: string, body?: object, headers: Record<string, string> = {}): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const answer = await this.#once(verb, path, body, headers).catch((fault: Error) => fault);
      if (!(answer instanceof Error)) {
        if (answer.ok) return (await answer.json()) as T;
        const text = await answer.text();
        const busy = answer.status === 503 || (answer.status === 409 && answer.headers.has('retry-after'));
        if (!busy || attempt === TRIES_MAX) throw new Error(`${verb} ${path} was answered ${answer.status}: ${text}`);
      } else if (attempt === TRIES_MAX) {
        throw new Error(`${verb} ${path} was not answered: ${answer.message}`, { cause: answer });
      }
      await new Promise((resume) => setTimeout(resume, PAUSE_MS * attempt));
    }
  }

  #once(verb: string, path: string, body: object | undefined, headers: Record<string, string>): Promise<Response> {
    return fetch(`${this.#baseUrl}${path}`, {
      method: verb,
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...this.#headers,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(REPLY_TIMEOUT_MS),
    });
  }
}

const keyOf = (path: string, body: object): string => {
  const hash = createHash('sha256')
    .update(`${path}\n${JSON.stringify(body)}`)
    .digest('hex');
  return `demo-${hash.slice(0, 40)}`;
};

type Page<T> = { readonly [list: string]: readonly T[] } & {
  readonly pagination: { readonly next_cursor: string | null };
};
