// Names that people type: article numbers, brands, tags, values of attributes, customer groups, numbers of purchase orders.

/** As it is stored: without blanks around it, and in the one form that Unicode has for equal texts. */
export const typedName = (text: string): string => text.normalize('NFC').trim();

/** Equal for all spellings of one name: letter case does not count. */
export const nameKey = (text: string): string => typedName(text).toLowerCase();
