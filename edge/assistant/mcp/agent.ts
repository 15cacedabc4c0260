// Stores an MCP client's name in the session id: the client sends the name only in `initialize`, and the server is
// stateless.
import { agentNameOf } from '#edge/assistant/core.ts';
import type { AgentName } from '#proto/gen/shared.ts';

export const SESSION_HEADER = 'mcp-session-id';
const PREFIX = 'agent.';
const NAME_BYTES_MAX = 300;

export const sessionOf = (name: string): string =>
  `${PREFIX}${Buffer.from(name).subarray(0, NAME_BYTES_MAX).toString('base64url')}`;

const nameIn = (session: string | null): string | null =>
  session?.startsWith(PREFIX) ? Buffer.from(session.slice(PREFIX.length), 'base64url').toString('utf8') : null;

/** Returns the host of a profile's URL, which names an agent that sent no name. */
const hostOf = (profile: string | undefined): string | null => URL.parse(profile ?? '')?.hostname ?? null;

export const agentOf = (headers: Headers, profile: string | undefined): AgentName =>
  agentNameOf(nameIn(headers.get(SESSION_HEADER)) ?? hostOf(profile) ?? headers.get('user-agent'), 'mcp');
