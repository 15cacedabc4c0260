// Who finds a review helpful: a browsing session, or else a network.
import { createHash } from 'node:crypto';

const BYTES = 16;

/** The kind comes first, so that no session can be called as a network is. */
export const voterOf = (session: string | null, network: string): Uint8Array =>
  createHash('sha256')
    .update(session ? `session/${session}` : `network/${network}`)
    .digest()
    .subarray(0, BYTES);
