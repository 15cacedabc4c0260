// Computes strong ETags and evaluates `If-None-Match`.

/** Equal bodies get different tags under different scopes: tenants, key types or shoppers. */
export const etagOf = (scope: string, body: Uint8Array): string => {
  const hash = Bun.hash.xxHash64(body, Bun.hash.xxHash64(scope));
  return `"${hash.toString(36)}${body.length.toString(36)}"`;
};

export function matches(header: string | null, etag: string): boolean {
  if (header === null) return false;
  if (header === etag) return true;
  if (header.trim() === '*') return true;
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}
