// The environment's variables, for the programs that this process starts and for what it reads of them.

export type LocalVariables = Readonly<Record<string, string | undefined>>;

export const variables: LocalVariables = process.env;
