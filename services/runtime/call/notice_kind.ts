// Names the kinds of notices.

/** Names of notices, each with the meaning of its `ids`. Domains add theirs by `declare module`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by declaration merging
export interface NoticeKinds {}

export type NoticeKind = keyof NoticeKinds;
