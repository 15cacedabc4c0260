// Defines the storage of files: objects that are written once, and read in parts.
import type { TenantKey } from '#runtime/call/call.ts';

export interface Storage {
  /** Stores an object under a key that was never used before. Throws `Unavailable` where it may not be stored. */
  put(key: TenantKey, bytes: Uint8Array, contentType: string): Promise<void>;
  /** Returns up to `length` bytes of an object from a position within it; null if there is no such object. */
  read(key: TenantKey, from: number, length: number): Promise<Uint8Array | null>;
  /** Deletes an object, or what an interrupted `put` left of it. */
  delete(key: TenantKey): Promise<void>;
}

/** Bytes that a storage reads most efficiently at once, from a multiple of them. */
export const PART_BYTES = 512 * 1024;
