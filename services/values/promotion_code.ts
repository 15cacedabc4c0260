// Promotion codes: one spelling for all that shoppers type.

/** As codes are kept and compared: letter case and blanks around them do not count. */
export const normalCode = (code: string): string => code.normalize('NFC').trim().toUpperCase();
