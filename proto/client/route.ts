// Reads a method's line, such as `POST /v1/cart/items nv`, and makes a request of it and of what the caller says.

/** The arguments of a method, by name. */
export type MethodArguments = Readonly<Record<string, unknown>>;

export interface Route {
  /** Path in the client: `cart.items.add`. */
  readonly name: string;
  readonly verb: string;
  readonly path: string;
  /** Public: sent without the key. */
  readonly keyless: boolean;
  readonly signed: boolean;
  /** Whether the shopper's session goes along: always, or where the request names a customer. */
  readonly session: 'always' | 'named' | 'never';
  /** Whether the browsing session goes along. */
  readonly browsing: boolean;
  /** Whether it changes something. */
  readonly writes: boolean;
  /** A write that takes no idempotency key, so that it may be sent only once unless it is known not to have happened. */
  readonly once: boolean;
  readonly inQuery: boolean;
  /** May take a minute: an attempt lasts as long as the call. */
  readonly slow: boolean;
  /** The argument `file` is the body, and all others are in the query. */
  readonly sendsFile: boolean;
  readonly answer: 'json' | 'text' | 'bytes';
  /** The answer's list, of which a page is shown. */
  readonly list: string | null;
  /** Arguments sent in a header: the header by the argument's name. */
  readonly headers: Readonly<Record<string, string>>;
}

export const readRoute = (line: string, name: string): Route => {
  const [verb = '', path = '', letters = '', list = '-', ...headers] = line.split(' ');
  const has = (letter: string): boolean => letters.includes(letter);
  const reads = verb === 'GET' || has('r');
  return {
    name,
    verb,
    path,
    keyless: has('k'),
    signed: has('s'),
    session: has('c') ? 'always' : has('n') ? 'named' : 'never',
    browsing: has('v'),
    writes: !reads,
    once: has('o'),
    slow: has('l'),
    sendsFile: has('f'),
    inQuery: verb === 'GET' || verb === 'DELETE' || has('q') || has('f'),
    answer: has('t') ? 'text' : has('b') ? 'bytes' : 'json',
    list: list === '-' ? null : list,
    headers: Object.fromEntries(headers.map((header) => header.split('=') as [string, string])),
  };
};

export interface EncodedRequest {
  /** With its query. */
  readonly path: string;
  readonly body: string | null;
  /** The body where it is a file. */
  readonly file: Blob | null;
  readonly headers: Readonly<Record<string, string>>;
}

/** A file of the browser's has a name, a blob has none. */
const nameOf = (file: Blob): string | undefined => ('name' in file && file.name !== '' ? String(file.name) : undefined);

/** `fields` is a list of names here and one text in the URL; null and undefined arguments are left out of the URL. */
export const encodeRequest = (route: Route, args: MethodArguments): EncodedRequest => {
  const left: Record<string, unknown> = { ...args };
  if (Array.isArray(left.fields)) left.fields = left.fields.join(',');
  const headers: Record<string, string> = {};
  for (const [name, header] of Object.entries(route.headers)) {
    if (left[name] !== undefined && left[name] !== null) headers[header] = String(left[name]);
    delete left[name];
  }
  const path = route.path.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const value = left[name];
    delete left[name];
    // An empty part would be another path, `..` another place.
    if ((typeof value !== 'string' && typeof value !== 'number') || /^\.{0,2}$/.test(String(value)))
      throw new TypeError(`${route.verb} ${route.path} needs ${name}.`);
    return encodeURIComponent(value);
  });
  if (!route.inQuery) return { path, body: JSON.stringify(left), file: null, headers };
  const file = route.sendsFile ? (left.file as Blob) : null;
  if (file) {
    left.name ??= nameOf(file);
    delete left.file;
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(left))
    if (value !== undefined && value !== null) query.set(name, String(value));
  const search = query.toString();
  return { path: search === '' ? path : `${path}?${search}`, body: null, file, headers };
};
