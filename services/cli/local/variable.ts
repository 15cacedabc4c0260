// The process's environment variables.

export type LocalVariables = Readonly<Record<string, string | undefined>>;

export const variables: LocalVariables = process.env;
