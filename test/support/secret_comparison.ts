// Finds comparisons of secrets that take longer the more of their beginning is right.

/** Comparisons that name a secret and whose time tells nothing about it. */
export const HARMLESS_COMPARISONS: readonly string[] = [
  // The spelling of a signature that the caller sent.
  'edge/gates/signature.ts === signature',
  // Two readings of one stored hash: whether it was changed meanwhile.
  'services/staff/rpc/credential.ts locked.member.password === member.password',
  'services/staff/sign_in.ts locked?.password === found?.password',
];

const SECRET = 'secret|token|signature|password|otp|verifier';
const LITERAL = 'null|undefined|true|false|[\'"`\\d]';
const COMPARISON = new RegExp(
  `[\\w.?!]*(?:${SECRET})(?![\\w(]) [!=]== (?!${LITERAL})[\\w.?!]+|[!=]== [\\w.?!]*(?:${SECRET})(?![\\w(.?])`,
  'gi',
);

export const secretComparisons = (text: string): readonly string[] =>
  [...text.matchAll(COMPARISON)].map(([found]) => found);
