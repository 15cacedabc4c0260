// Runs the shop's server inside Node's HTTP server. Requests are `POST <path>/<name>` with a JSON body.
import { StoaError, server } from '#proto/client/server.ts';
import { forVisitor, type RequestFields, serverHandlers } from './handler.ts';

const BYTES_MAX = 16 * 1024;

export interface NodeRequest extends AsyncIterable<Uint8Array> {
  readonly method?: string;
  readonly url?: string;
  readonly socket: { readonly remoteAddress?: string };
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

interface NodeResponse {
  writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
  end(text: string): unknown;
}

export interface ShopServerOptions {
  readonly url: string;
  readonly key: string;
  readonly hmacSecret: string;
  readonly path: string;
  /**
   * Returns the visitor's address; by default that of the connection. Servers behind a proxy must return the address
   * that the proxy reports.
   */
  readonly addressOf?: (request: NodeRequest) => string;
}

const connectedFrom = ({ socket }: NodeRequest): string => (socket.remoteAddress ?? '').replace(/^::ffff:/, '');

const readFields = async (request: NodeRequest): Promise<RequestFields | null> => {
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of request) {
    text += decoder.decode(bytes, { stream: true });
    if (text.length > BYTES_MAX) return null;
  }
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null) return null;
    return Object.fromEntries(
      Object.entries(read).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    );
  } catch {
    return null;
  }
};

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };

export const shopServer = ({ url, key, hmacSecret, path, addressOf = connectedFrom }: ShopServerOptions) => {
  const api = server({ url, key, hmacSecret });
  return async (request: NodeRequest, response: NodeResponse, next: () => void): Promise<void> => {
    const what = request.url?.startsWith(`${path}/`) ? request.url.slice(path.length + 1) : '';
    const handler = Object.hasOwn(serverHandlers, what) && request.method === 'POST' ? serverHandlers[what] : undefined;
    if (!handler) return next();
    const tell = (status: number, body: object): void => {
      response.writeHead(status, HEADERS);
      response.end(JSON.stringify(body));
    };
    const refuse = (status: number, message: string): void => tell(status, { error: { message } });
    const fields = await readFields(request);
    if (fields === null) return refuse(400, 'The body must be a JSON object whose values are strings.');
    try {
      tell(200, await handler(forVisitor(api, addressOf(request)), fields));
    } catch (problem) {
      if (problem instanceof StoaError) return refuse(problem.status || 503, problem.message);
      console.error(problem);
      refuse(500, 'The shop’s server has failed.');
    }
  };
};
