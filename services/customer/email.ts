// Hashes under which failed logins and failed codes of an address are counted.
import { sha256 } from '#runtime/process/seal.ts';

/** For a normalised address, whether or not an account has it. */
export const passwordFailureKey = (email: string): Buffer => sha256(email);

/** Separate from failed passwords, so that guessing codes does not slow down a password login. */
export const codeFailureKey = (email: string): Buffer => sha256(`code for ${email}`);
