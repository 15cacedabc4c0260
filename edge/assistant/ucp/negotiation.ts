// Negotiates capabilities: a response uses those that both the store's profile and the platform's have. `UCP-Agent`
// names the platform's profile; without one all of the store's apply.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { agentNameOf } from '#edge/assistant/core.ts';
import type { PlatformProfile } from '#proto/gen/assistant.ts';
import type { AgentName } from '#proto/gen/shared.ts';
import { Refusal } from '#runtime/call/call.ts';
import { UCP_VERSION } from '#services/commerce/ucp_order.ts';
import { CAPABILITIES } from './document/envelope.ts';
import { signingKey } from './signature.ts';

export interface NegotiationFault {
  readonly status: 400 | 422 | 424;
  readonly code: 'invalid_profile_url' | 'profile_unreachable' | 'profile_malformed' | 'version_unsupported';
  readonly content: string;
}

export interface Negotiated {
  readonly agent: AgentName;
  readonly capabilities: ReadonlySet<string> | null;
  readonly keys: PlatformProfile['signing_keys'];
  readonly orderUrl: string | null;
  readonly profile: string | null;
}

const PROFILE_LENGTH_MAX = 2_048;

const STATUS = { invalid_profile_url: 400, profile_unreachable: 424, profile_malformed: 422 } as const;

/** For each extension the capabilities of which it needs at least one. */
const PARENTS: Readonly<Record<string, readonly string[]>> = {
  [CAPABILITIES.fulfillment]: [CAPABILITIES.checkout],
  [CAPABILITIES.discount]: [CAPABILITIES.checkout, CAPABILITIES.cart],
};

export const shared = ({ capabilities }: PlatformProfile): ReadonlySet<string> => {
  const both = new Set<string>(
    Object.values(CAPABILITIES).filter((name) =>
      capabilities.some((theirs) => theirs.name === name && theirs.versions.includes(UCP_VERSION)),
    ),
  );
  for (const [extension, parents] of Object.entries(PARENTS))
    if (!parents.some((parent) => both.has(parent))) both.delete(extension);
  return both;
};

const member = (header: string, name: string): string | null =>
  new RegExp(`(?:^|[,;])\\s*${name}\\s*=\\s*"((?:[^"\\\\]|\\\\["\\\\])*)"`)
    .exec(header)?.[1]
    ?.replace(/\\(.)/g, '$1') ?? null;

const NO_PROFILE: NegotiationFault = {
  status: 400,
  code: 'invalid_profile_url',
  content:
    'UCP-Agent names the platform’s profile by its address, as in `profile="https://platform.example/profile.json"`.',
};

const unsupported = (version: string): NegotiationFault => ({
  status: 422,
  code: 'version_unsupported',
  content: `Protocol version ${version} is not supported. This store supports version ${UCP_VERSION}.`,
});

export const withoutProfile = (agent: AgentName): Negotiated => ({
  agent,
  capabilities: null,
  keys: [],
  orderUrl: null,
  profile: null,
});

export const negotiate = async (
  call: Pick<AssistantCall, 'core' | 'context'>,
  header: string | null,
): Promise<Negotiated | NegotiationFault | Refusal> => {
  if (header === null) return NO_PROFILE;
  const version = member(header, 'version');
  if (version !== null && version !== UCP_VERSION) return unsupported(version);
  return negotiateProfile(call, member(header, 'profile'));
};

export const negotiateProfile = async (
  { core, context }: Pick<AssistantCall, 'core' | 'context'>,
  profile: string | null,
): Promise<Negotiated | NegotiationFault | Refusal> => {
  const url = profile === null || profile.length > PROFILE_LENGTH_MAX ? null : URL.parse(profile);
  if (profile === null || url === null || !/^https?:$/.test(url.protocol)) return NO_PROFILE;
  const read = await core.platform(profile, signingKey(context.request.headers));
  if (read instanceof Refusal) return read;
  const { platform, fault, problem } = read;
  if (platform === null) {
    const code = fault ?? 'profile_unreachable';
    return { status: STATUS[code], code, content: problem ?? 'The profile cannot be read.' };
  }
  if (platform.version !== UCP_VERSION) return unsupported(platform.version);
  const capabilities = shared(platform);
  return {
    agent: agentNameOf(url.hostname, 'ucp'),
    capabilities,
    keys: platform.signing_keys,
    orderUrl: capabilities.has(CAPABILITIES.order) ? platform.order_webhook_url : null,
    profile,
  };
};
