// Derives ids from names, so that a retry creates the same id.
import { sha256 } from './seal.ts';

export const derivedId = (...parts: readonly string[]): string => {
  const hex = sha256(JSON.stringify(parts)).toString('hex');
  const variant = ((Number.parseInt(hex[16]!, 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
};
