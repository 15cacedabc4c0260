// Serves MCP over streamable HTTP without sessions: each POST creates a server and gets one JSON response.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  InitializeRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { commonHeaders } from '#edge/answer.ts';
import type { Adapter, AssistantCall } from '#edge/assistant/adapter.ts';
import { readBody } from '#edge/gates/body.ts';
import { statusOf } from '#edge/gates/refusal.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { parseStrict } from '#values/json.ts';
import { SESSION_HEADER, sessionOf } from './agent.ts';
import { RpcError, rpcCode, rpcData } from './refusal.ts';
import { serverOf } from './server.ts';

const BODY = { bytes_max: 1024 * 1024, raw: [] };

const POST_ONLY = refuse('method_not_allowed', 'This server does not open streams; send a POST.');
const ONE_MESSAGE = refuse('invalid_request', 'The body is a list of messages; send one message per request.');

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;

const refusalResponse = (context: RequestContext, refusal: Refusal, rpc = rpcCode(refusal)): Response => {
  const status = statusOf(refusal);
  const { code, message, extra } = refusal;
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  if (extra.retryAfterS !== undefined || status === 503)
    headers['Retry-After'] = `${Math.max(1, Math.ceil(extra.retryAfterS ?? 1))}`;
  if (status === 405) headers.Allow = 'POST';
  context.refusal = code;
  context.refusalBody = JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: rpc, message, data: rpcData(refusal) },
  });
  return new Response(context.request.method === 'HEAD' ? null : context.refusalBody, { status, headers });
};

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const clientNameIn = (message: unknown): string | null => {
  if (!isObject(message) || message.method !== 'initialize' || !isObject(message.params)) return null;
  const { clientInfo } = message.params;
  if (!isObject(clientInfo)) return null;
  const { title, name } = clientInfo;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return text(name) || text(title) || null;
};

const SCHEMAS = {
  initialize: InitializeRequestSchema,
  'tools/list': ListToolsRequestSchema,
  'tools/call': CallToolRequestSchema,
  'resources/list': ListResourcesRequestSchema,
  'resources/read': ReadResourceRequestSchema,
} as const;

const isKnown = (method: unknown): method is keyof typeof SCHEMAS =>
  typeof method === 'string' && Object.hasOwn(SCHEMAS, method);

const invalidParameterIn = (message: Readonly<Record<string, unknown>>): string | null => {
  const { method } = message;
  const [issue] = isKnown(method) ? (SCHEMAS[method].safeParse(message).error?.issues ?? []) : [];
  return issue?.path[0] === 'params' ? issue.path.slice(1).join('.') || 'params' : null;
};

/** Refuses malformed parameters before the SDK sees them, which would report an internal error. */
const wrongParams = (message: unknown): Refusal | null => {
  if (!isObject(message)) return null;
  const { method, params = {} } = message;
  const wrong = (param: string, kind: string): Refusal =>
    refuse('invalid_request', `\`${param}\` must be ${kind}.`, { param });
  if (!isObject(params)) return wrong('params', 'an object');
  if (method === 'resources/read' && typeof params.uri !== 'string') return wrong('uri', 'a string');
  if (method === 'tools/call' && typeof params.name !== 'string') return wrong('name', 'a string');
  if (method === 'tools/call' && params.arguments !== undefined && !isObject(params.arguments))
    return wrong('arguments', 'an object');
  const invalid = invalidParameterIn(message);
  return invalid === null ? null : wrong(invalid, 'as the protocol has it');
};

/** Removes the prefix that the sender of tool arguments does not know. */
const argumentIn = (field: string): string => field.replace(/^params\.arguments\./, '');

const messageError = (context: RequestContext, message: unknown, refusal: Refusal): Response => {
  const { code, message: text, data } = RpcError.of(refusal);
  const id =
    isObject(message) && (typeof message.id === 'string' || typeof message.id === 'number') ? message.id : null;
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  context.refusal = refusal.code;
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text, data } }), { headers });
};

/**
 * Returns whether the client is initialised. Initialised clients read JSON-RPC errors only with status 200; others get
 * the error's HTTP status.
 */
const isInitialised = ({ headers }: Request): boolean => headers.has(SESSION_HEADER);

const serve = async (call: AssistantCall): Promise<Response | null> => {
  const { context, path } = call;
  if (path !== '') return null;
  const { request } = context;
  if (request.method !== 'POST') return refusalResponse(context, POST_ONLY);
  const body = await readBody(request, BODY);
  if (body instanceof Refusal) return refusalResponse(context, body);
  context.requestBody = body.bytes;
  const read = parseStrict(body.bytes);
  if (!read.ok) {
    const { message, param } = read;
    return param
      ? refusalResponse(context, refuse('invalid_request', message, { param: argumentIn(param) }))
      : refusalResponse(context, refuse('invalid_request', message), PARSE_ERROR);
  }
  if (Array.isArray(read.value)) return refusalResponse(context, ONE_MESSAGE, INVALID_REQUEST);
  const wrong = wrongParams(read.value);
  if (wrong) return messageError(context, read.value, wrong);
  let failure: unknown = null;
  const server = serverOf(call, (problem) => {
    failure = problem;
  });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(request, { parsedBody: read.value });
    if (failure !== null && !(failure instanceof RpcError)) throw failure;
    const headers = new Headers(commonHeaders(context, answer.headers.get('content-type') ?? 'application/json'));
    headers.set('Cache-Control', 'no-store');
    if (failure?.data.retry_after !== undefined) headers.set('Retry-After', `${failure.data.retry_after}`);
    const name = clientNameIn(read.value);
    if (name !== null) headers.set(SESSION_HEADER, sessionOf(name));
    const status = failure === null || isInitialised(request) ? answer.status : failure.status;
    return new Response(await answer.text(), { status, headers });
  } finally {
    await server.close();
  }
};

export const mcpAdapter: Adapter = { protocol: 'mcp', keyless: () => true, serve, refuse: refusalResponse };
