// E-mail addresses as accounts know them: one spelling for all that mean the same.
import { sha256 } from '#runtime/seal.ts';

/** Unicode NFC and lower-case: `José@Example.com` however it was typed. */
export const accountEmail = (email: string): string => email.normalize('NFC').toLowerCase().normalize('NFC');

/** What an account is counted by, whether or not it exists. */
export const accountHash = (email: string): Buffer => sha256(email);

/**
 * What its failed one-time codes are counted by: apart from failed passwords, so that guessing at the one does not slow
 * the owner down who knows the other.
 */
export const codeHash = (email: string): Buffer => sha256(`code for ${email}`);
