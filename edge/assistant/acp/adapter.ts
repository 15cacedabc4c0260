// Serves ACP over REST: checkout sessions, delegated payment, product feed and discovery. Checks the protocol version
// and, on every POST, the idempotency key.
import type { Adapter, AssistantCall } from '#edge/assistant/adapter.ts';
import { jsonPath } from '#edge/assistant/json_path.ts';
import { readBody } from '#edge/gates/body.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { canonicalJson, parseStrict } from '#values/json.ts';
import { discoveryResponse } from './discovery.ts';
import { errorResponse, errorResponseAs, VERSION } from './fault.ts';
import { feedResponse } from './feed.ts';
import { Fields } from './field.ts';
import { type AcpRequest, cancel, complete, create, delegate, read, update } from './operation.ts';

type Operation = (call: AssistantCall, id: string, sent: AcpRequest) => Promise<Response>;

interface Endpoint {
  readonly verb: 'GET' | 'POST';
  readonly path: RegExp;
  readonly run: Operation;
}

const ENDPOINTS: readonly Endpoint[] = [
  { verb: 'POST', path: /^\/checkout_sessions$/, run: create },
  { verb: 'GET', path: /^\/checkout_sessions\/([^/]+)$/, run: read },
  { verb: 'POST', path: /^\/checkout_sessions\/([^/]+)$/, run: update },
  { verb: 'POST', path: /^\/checkout_sessions\/([^/]+)\/complete$/, run: complete },
  { verb: 'POST', path: /^\/checkout_sessions\/([^/]+)\/cancel$/, run: cancel },
  { verb: 'POST', path: /^\/agentic_commerce\/delegate_payment$/, run: delegate },
  { verb: 'GET', path: /^\/feed$/, run: (call) => feedResponse(call) },
];

const DISCOVERY = '/.well-known/acp.json';
const BODY = { bytes_max: 1024 * 1024, raw: [] };
const KEY_LENGTH_MAX = 255;
const KEY = /^[\x21-\x7e]+$/;

const headerFault = ({ context }: AssistantCall): Response | null => {
  const { headers, method } = context.request;
  const version = headers.get('api-version');
  const versions = { supported_versions: [VERSION] };
  if (version === null)
    return errorResponseAs(
      context,
      400,
      'missing_api_version',
      `Send the header \`API-Version: ${VERSION}\`.`,
      versions,
    );
  if (version !== VERSION)
    return errorResponseAs(context, 400, 'unsupported_api_version', `This store speaks version ${VERSION}.`, versions);
  if (method !== 'POST') return null;
  const key = headers.get('idempotency-key');
  if (!key)
    return errorResponseAs(
      context,
      400,
      'idempotency_key_required',
      'The header Idempotency-Key is required on every POST.',
    );
  return key.length > KEY_LENGTH_MAX || !KEY.test(key)
    ? errorResponseAs(
        context,
        400,
        'invalid',
        `Idempotency-Key is at most ${KEY_LENGTH_MAX} printable characters without spaces.`,
      )
    : null;
};

const readRequest = async (call: AssistantCall): Promise<AcpRequest | Refusal> => {
  const { context } = call;
  const key = context.request.headers.get('idempotency-key') ?? '';
  if (context.request.method !== 'POST') return { key, body: '', fields: null };
  const body = await readBody(context.request, BODY);
  if (body instanceof Refusal) return body;
  context.requestBody = body.bytes;
  if (body.bytes === null || body.bytes.length === 0) return { key, body: '', fields: null };
  const parsed = parseStrict(body.bytes);
  if (!parsed.ok)
    return refuse('invalid_request', parsed.message, parsed.param ? { param: jsonPath(parsed.param) } : {});
  const fields = Fields.of(parsed.value);
  return fields instanceof Refusal ? fields : { key, body: canonicalJson(parsed.value), fields };
};

const run = async (call: AssistantCall, { run: operation }: Endpoint, id: string): Promise<Response> => {
  const fault = headerFault(call);
  if (fault) return fault;
  const sent = await readRequest(call);
  return sent instanceof Refusal ? errorResponse(call.context, sent) : operation(call, id, sent);
};

const serve = (call: AssistantCall): Response | null | Promise<Response | null> => {
  const { context, path } = call;
  const { method } = context.request;
  if (path === DISCOVERY)
    return method === 'GET' || method === 'HEAD' ? discoveryResponse(call) : notAllowed(call, ['GET', 'HEAD']);
  const matching = ENDPOINTS.flatMap((endpoint) => {
    const match = endpoint.path.exec(path);
    return match ? [{ endpoint, id: match[1] ?? '' }] : [];
  });
  if (matching.length === 0) return null;
  const chosen = matching.find(({ endpoint }) => endpoint.verb === (method === 'HEAD' ? 'GET' : method));
  return chosen
    ? run(call, chosen.endpoint, chosen.id)
    : notAllowed(
        call,
        matching.map(({ endpoint }) => endpoint.verb),
      );
};

const notAllowed = ({ context }: AssistantCall, verbs: readonly string[]): Response => {
  const response = errorResponseAs(context, 405, 'method_not_allowed', 'This address does not take this method.');
  response.headers.set('Allow', verbs.join(', '));
  return response;
};

export const acpAdapter: Adapter = {
  protocol: 'acp',
  keyless: (path) => path === DISCOVERY,
  serve,
  refuse: errorResponse,
};
