// Reads metadata of a tool call from `meta` in the arguments or from HTTP headers.

type Meta = Readonly<Record<string, unknown>>;

const metaIn = (args: unknown): Meta => {
  if (typeof args !== 'object' || args === null || !('meta' in args)) return {};
  const { meta } = args;
  return typeof meta === 'object' && meta !== null ? { ...meta } : {};
};

export const profileIn = (args: unknown): string | null => {
  const agent = metaIn(args)['ucp-agent'];
  if (typeof agent !== 'object' || agent === null || !('profile' in agent)) return null;
  return typeof agent.profile === 'string' ? agent.profile : null;
};

export const isKeyed = (args: unknown): boolean => metaIn(args)['idempotency-key'] !== undefined;

export const keyedBy = (header: string | null, args: unknown): unknown =>
  header === null || isKeyed(args) || (args !== undefined && (typeof args !== 'object' || args === null))
    ? args
    : { ...args, meta: { ...metaIn(args), 'idempotency-key': header } };
