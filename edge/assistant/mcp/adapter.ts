// MCP over streamable HTTP, without state: each POST is answered by a server of its own, as one JSON document.
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { commonHeaders } from '#edge/answer.ts';
import type { Adapter, AssistantCall } from '#edge/assistant/adapter.ts';
import { readBody } from '#edge/gates/body.ts';
import { statusOf } from '#edge/gates/refusal.ts';
import type { RequestContext } from '#edge/request_context.ts';
import { Refusal, refuse } from '#runtime/call/call.ts';
import { parseStrict } from '#values/strict_json.ts';
import { SESSION_HEADER, sessionOf } from './agent.ts';
import { rpcCode, rpcData } from './refusal.ts';
import { serverOf } from './server.ts';

const BODY = { bytes_max: 1024 * 1024, raw: [] };

const POST_ALONE = refuse('method_not_allowed', 'This server keeps no stream: send a POST.');
const ONE_MESSAGE = refuse('invalid_request', 'Send one message a request.');

const refusalResponse = (context: RequestContext, refusal: Refusal): Response => {
  const status = statusOf(refusal);
  const { code, message, extra } = refusal;
  const headers = commonHeaders(context, 'application/json');
  headers['Cache-Control'] = 'no-store';
  if (extra.retryAfterS !== undefined || status === 503)
    headers['Retry-After'] = `${Math.max(1, Math.ceil(extra.retryAfterS ?? 1))}`;
  if (status === 405) headers.Allow = 'POST';
  context.refusal = code;
  context.refused = JSON.stringify({
    jsonrpc: '2.0',
    id: null,
    error: { code: rpcCode(refusal), message, data: rpcData(refusal) },
  });
  return new Response(context.request.method === 'HEAD' ? null : context.refused, { status, headers });
};

/** What an initialising client calls itself; null of any other message. */
const introduced = (message: unknown): string | null => {
  if (typeof message !== 'object' || message === null || !('method' in message)) return null;
  if (message.method !== 'initialize' || !('params' in message)) return null;
  const { params } = message;
  if (typeof params !== 'object' || params === null || !('clientInfo' in params)) return null;
  const { clientInfo } = params;
  if (typeof clientInfo !== 'object' || clientInfo === null) return null;
  const title = 'title' in clientInfo && typeof clientInfo.title === 'string' ? clientInfo.title : '';
  const name = 'name' in clientInfo && typeof clientInfo.name === 'string' ? clientInfo.name : '';
  return name || title || null;
};

const serve = async (call: AssistantCall): Promise<Response | null> => {
  const { context, path } = call;
  if (path !== '') return null;
  const { request } = context;
  if (request.method !== 'POST') return refusalResponse(context, POST_ALONE);
  const body = await readBody(request, BODY);
  if (body instanceof Refusal) return refusalResponse(context, body);
  context.sent = body.bytes;
  const read = parseStrict(body.bytes);
  if (!read.ok) return refusalResponse(context, refuse('invalid_request', read.message));
  if (Array.isArray(read.value)) return refusalResponse(context, ONE_MESSAGE);
  const server = serverOf(call);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const answer = await transport.handleRequest(request, { parsedBody: read.value });
    const headers = new Headers(commonHeaders(context, answer.headers.get('content-type') ?? 'application/json'));
    headers.set('Cache-Control', 'no-store');
    const name = introduced(read.value);
    if (name !== null) headers.set(SESSION_HEADER, sessionOf(name));
    return new Response(await answer.text(), { status: answer.status, headers });
  } finally {
    await server.close();
  }
};

export const mcpAdapter: Adapter = { protocol: 'mcp', keyless: () => true, serve, refuse: refusalResponse };
