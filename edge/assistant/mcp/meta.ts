// What a tool's call says of itself, beside its arguments proper: in `meta`, or in headers as over REST.

type Meta = Readonly<Record<string, unknown>>;

/** Empty where the arguments are none, or say nothing. */
const metaIn = (args: unknown): Meta => {
  if (typeof args !== 'object' || args === null || !('meta' in args)) return {};
  const { meta } = args;
  return typeof meta === 'object' && meta !== null ? { ...meta } : {};
};

/** The profile of the platform that calls; null where it names none. */
export const profileIn = (args: unknown): string | null => {
  const agent = metaIn(args)['ucp-agent'];
  if (typeof agent !== 'object' || agent === null || !('profile' in agent)) return null;
  return typeof agent.profile === 'string' ? agent.profile : null;
};

export const isKeyed = (args: unknown): boolean => metaIn(args)['idempotency-key'] !== undefined;

/** The arguments with the key of the header `Idempotency-Key`, where they bear none of their own. */
export const keyedBy = (header: string | null, args: unknown): unknown =>
  header === null || isKeyed(args) || (args !== undefined && (typeof args !== 'object' || args === null))
    ? args
    : { ...args, meta: { ...metaIn(args), 'idempotency-key': header } };
