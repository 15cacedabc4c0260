// E-mail addresses as the house compares them: one spelling for all that mean the same.

/** Unicode NFC and lower-case: `José@Example.com` however it was typed. */
export const normalEmail = (email: string): string => email.normalize('NFC').toLowerCase().normalize('NFC');
