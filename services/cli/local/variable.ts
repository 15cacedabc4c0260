// The environment's variables, for the programs that this process starts and for what it reads of them.

export type Variables = Readonly<Record<string, string | undefined>>;

export const variables: Variables = process.env;
