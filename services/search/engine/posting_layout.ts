// How a posting lies in one number of 32 bits: the product's slot above, the impact of the term in its lowest byte.

export const DOC_ID_SHIFT = 8;

export const IMPACT_MASK = 255;

export const DOC_IDS_MAX = 1 << 24;
