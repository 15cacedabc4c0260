// What a platform and the store speak both: the platform names its profile in `UCP-Agent`, and answers are made with the
// capabilities that stand in both profiles. A caller that names no profile is taken to speak all of them.
import type { AssistantCall } from '#edge/assistant/adapter.ts';
import { agentNamed } from '#edge/assistant/core.ts';
import type { PlatformProfile } from '#proto/gen/assistant.ts';
import type { AgentName } from '#proto/gen/shared.ts';
import { Refusal } from '#runtime/call/call.ts';
import { UCP_VERSION } from '#services/commerce/ucp_order.ts';
import { CAPABILITIES } from './document/envelope.ts';
import { signingKey } from './signature.ts';

/** Why discovery or the protocol's version ended a request before it was looked at. */
export interface NegotiationFault {
  readonly status: 400 | 422 | 424;
  readonly code: 'invalid_profile_url' | 'profile_unreachable' | 'profile_malformed' | 'version_unsupported';
  readonly content: string;
}

export interface Negotiated {
  readonly agent: AgentName;
  /** By name; null: all of ours. */
  readonly capabilities: ReadonlySet<string> | null;
  /** What the platform signs with. */
  readonly keys: PlatformProfile['signing_keys'];
  /** Where it hears of orders; null where it does not ask to. */
  readonly orderUrl: string | null;
  /** The address of its profile; null: it names none. */
  readonly profile: string | null;
}

const PROFILE_LENGTH_MAX = 2_048;

const STATUS = { invalid_profile_url: 400, profile_unreachable: 424, profile_malformed: 422 } as const;

/** An extension counts only beside one of these. */
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

/** A member of the dictionary that `UCP-Agent` is, where it is a string. */
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

/** A caller that names no profile. */
export const unnamed = (agent: AgentName): Negotiated => ({
  agent,
  capabilities: null,
  keys: [],
  orderUrl: null,
  profile: null,
});

/** `header`: `UCP-Agent` as it was sent; null where it was not. */
export const negotiate = async (
  call: Pick<AssistantCall, 'core' | 'context'>,
  header: string | null,
): Promise<Negotiated | NegotiationFault | Refusal> => {
  if (header === null) return NO_PROFILE;
  const version = member(header, 'version');
  if (version !== null && version !== UCP_VERSION) return unsupported(version);
  return negotiateProfile(call, member(header, 'profile'));
};

/** Over MCP the profile stands in the arguments of a call. */
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
    agent: agentNamed(url.hostname, 'ucp'),
    capabilities,
    keys: platform.signing_keys,
    orderUrl: capabilities.has(CAPABILITIES.order) ? platform.order_webhook_url : null,
    profile,
  };
};
