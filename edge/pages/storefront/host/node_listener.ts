// Lets Node's HTTP server use a fetch handler: turns its requests into `Request`s and writes the `Response`s.

export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string;
  readonly url?: string;
  readonly socket: { readonly remoteAddress?: string; readonly encrypted?: boolean };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string | string[]>>): unknown;
  write(bytes: Uint8Array): boolean;
  once(event: 'drain' | 'close', listener: () => void): unknown;
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  end(text?: string): unknown;
}

type Handle = (request: Request, address: string) => Promise<Response>;

/** A body is read whole, so that a handler sees none that is longer. */
const BYTES_MAX = 64 * 1024;

const readBody = async (request: NodeRequest): Promise<Blob | null> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const bytes of request) {
    length += bytes.length;
    if (length > BYTES_MAX) return null;
    parts.push(new Uint8Array(bytes));
  }
  return new Blob(parts);
};

const headersOf = ({ headers }: NodeRequest): Headers =>
  new Headers(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined || name.startsWith(':') ? [] : [value].flat().map((each): [string, string] => [name, each]),
    ),
  );

const write = async (body: ReadableStream<Uint8Array>, response: NodeResponse): Promise<void> => {
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (response.destroyed) return reader.cancel();
    if (response.write(part.value)) continue;
    await new Promise<void>((ready) => {
      response.once('drain', ready);
      response.once('close', ready);
    });
  }
  response.end();
};

const refuse = (response: NodeResponse, status: number): void => {
  response.writeHead(status, { Connection: 'close' });
  response.end();
};

const answer = async (handle: Handle, request: NodeRequest, response: NodeResponse): Promise<void> => {
  const { method = 'GET', url = '/', socket } = request;
  const headers = headersOf(request);
  const origin = `${socket.encrypted ? 'https' : 'http'}://${headers.get('host') ?? 'localhost'}`;
  // A target such as `http://other.example/` would become part of the host's name.
  if (!url.startsWith('/') || !URL.canParse(origin + url)) return refuse(response, 400);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = hasBody ? await readBody(request) : undefined;
  if (body === null) return refuse(response, 413);
  const address = (socket.remoteAddress ?? '').replace(/^::ffff:/, '');
  const given = await handle(new Request(origin + url, { method, headers, ...(body && { body }) }), address);
  const cookies = given.headers.getSetCookie();
  response.writeHead(given.status, {
    ...Object.fromEntries(given.headers),
    ...(cookies.length > 0 && { 'set-cookie': cookies }),
  });
  if (given.body) await write(given.body, response);
  else response.end();
};

/**
 * Calls `handle` with the address of the connection. A host behind a proxy reads the visitor's from the header in which
 * its proxy reports it.
 */
export const nodeListener =
  (handle: Handle) =>
  (request: NodeRequest, response: NodeResponse): void => {
    answer(handle, request, response).catch((problem: unknown) => {
      console.error('failed to answer a request', problem);
      if (response.destroyed) return;
      if (response.headersSent) response.end();
      else refuse(response, 500);
    });
  };
