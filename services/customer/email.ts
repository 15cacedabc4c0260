// What failed attempts on an account are counted by.
import { sha256 } from '#runtime/process/seal.ts';

/** Of a normal address, whether or not it has an account. */
export const accountHash = (email: string): Buffer => sha256(email);

/**
 * What its failed one-time codes are counted by: apart from failed passwords, so that guessing at the one does not slow
 * the owner down who knows the other.
 */
export const codeHash = (email: string): Buffer => sha256(`code for ${email}`);
