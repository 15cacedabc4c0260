// Calls the API with the key that the developer typed; the key is kept only in the page's memory.

export interface ApiAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: every endpoint answers in a shape of its own
  readonly body: any;
  readonly headers: Headers;
}

export interface Api {
  readonly isTest: boolean;
  readonly isOperator: boolean;
  get(path: string): Promise<ApiAnswer>;
  post(path: string, body: object): Promise<ApiAnswer>;
  patch(path: string, body: object): Promise<ApiAnswer>;
  remove(path: string): Promise<ApiAnswer>;
  file(path: string): Promise<Blob>;
}

const KEY = /^svc_[sm]k_(live|test)_[A-Za-z0-9_-]{8,200}$/;

export const isOwnersKey = (text: string): boolean => KEY.test(text);

export class ApiRefused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export const openApi = (key: string): Api =>
  apiOver({
    isTest: /^svc_.k_test_/.test(key),
    isOperator: key.startsWith('svc_mk_'),
    credentials: 'omit',
    headers: { Authorization: `Bearer ${key}` },
  });

interface ApiCaller {
  readonly isTest: boolean;
  readonly isOperator: boolean;
  readonly credentials: 'omit' | 'same-origin';
  readonly headers: Readonly<Record<string, string>>;
}

export const apiOver = ({ isTest, isOperator, credentials, headers }: ApiCaller): Api => {
  const send = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(path, {
      method,
      cache: 'no-store',
      credentials,
      headers: {
        ...headers,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch(() => {
      throw new ApiRefused(0, 'The store cannot be reached.');
    });
  const ask = async (method: string, path: string, body?: object): Promise<ApiAnswer> => {
    const response = await send(method, path, body);
    const text = await response.text();
    let read: ApiAnswer['body'] = null;
    try {
      read = JSON.parse(text);
    } catch {}
    if (!response.ok)
      throw new ApiRefused(response.status, read?.error?.message ?? `The API answered with status ${response.status}.`);
    return { status: response.status, body: read, headers: response.headers };
  };
  return {
    isTest,
    isOperator,
    get: (path) => ask('GET', path),
    post: (path, body) => ask('POST', path, body),
    patch: (path, body) => ask('PATCH', path, body),
    remove: (path) => ask('DELETE', path),
    file: async (path) => {
      const response = await send('GET', path);
      if (!response.ok) throw new ApiRefused(response.status, `The API answered with status ${response.status}.`);
      return response.blob();
    },
  };
};
