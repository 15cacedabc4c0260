// States the version of Stoa.

export const VERSION = '1.0.0';
