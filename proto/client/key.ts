// Which kind of key may go where. A secret one in a storefront is an error of types where it is written out, and of the
// constructor in every case.

/** The type of a storefront's key: any text that is not plainly another kind of key. */
export type PublishableKey<K extends string> = K extends `svc_${'sk' | 'mk' | 'at'}_${string}` ? never : K;
/** The type of a key that a store's server takes. An app's access token goes where a key goes. */
export type SecretKey<K extends string> = K extends `svc_${'pk' | 'mk'}_${string}` ? never : K;
export type OperatorKey<K extends string> = K extends `svc_${'pk' | 'sk' | 'at'}_${string}` ? never : K;

const FORMS = {
  publishable: /^svc_pk_(live|test)_/,
  secret: /^svc_(sk|at)_(live|test)_/,
  operator: /^svc_mk_(live|test)_/,
};

/** Throws when the key is of another kind. The message never shows the key. */
export const checkKey = (key: string, kind: keyof typeof FORMS, callerName: string): string => {
  if (typeof key === 'string' && FORMS[kind].test(key)) return key;
  const found = (Object.keys(FORMS) as (keyof typeof FORMS)[]).find((other) => FORMS[other].test(key));
  throw new TypeError(
    `${callerName} takes ${anOf(kind)} key, and this is ${found ? `${anOf(found)} one` : 'none of Stoa’s'}.`,
  );
};

const anOf = (kind: keyof typeof FORMS): string => (kind === 'operator' ? 'an operator' : `a ${kind}`);
